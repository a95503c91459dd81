internal import LosslessYAML
internal import TodoModel

/// A digest of all that an operation says, for noticing an operation id that is used for another operation.
///
/// SipHash with 128 bits, keyed with the store's identity: stable (Swift's `Hasher` differs from run to run),
/// fast on the few hundred bytes of a todo, and without collisions that a client could prepare, as it does
/// not know the key. Equal operations have equal digests, whatever the order of their fields.
enum OperationDigest {
    /// Returns the digest.
    ///
    /// - Parameter layout: the operation's layout as JSON, which the caller has made already.
    static func digest(of operation: PushOperation, layout: [UInt8]?, key: [UInt8]) -> [UInt8] {
        var parts = Parts()
        parts.append { $0.append(contentsOf: operation.id.utf8) }
        switch operation.change {
        case .insert(let fields, _): parts.append("insert", fields, base: nil)
        case .update(let fields, _, let base): parts.append("update", fields, base: base)
        case .delete(let base): parts.append("delete", [:], base: base)
        case .recreate(let fields, _, let base): parts.append("recreate", fields, base: base)
        }
        parts.append { $0.append(contentsOf: layout ?? []) }
        return SipHash.hash128(parts.bytes, key: key)
    }

    /// Byte strings one after the other, each followed by its length, so that no two sequences look alike.
    private struct Parts {
        var bytes: [UInt8] = []

        init() {
            // The buffer of most operations need not grow.
            bytes.reserveCapacity(2048)
        }

        mutating func append(_ kind: StaticString, _ fields: Mapping, base: Version?) {
            append { $0.append(contentsOf: "\(kind)".utf8) }
            append { JSON.write(.mapping(fields), form: .sorted, to: &$0) }
            append { $0.append(contentsOf: (base?.string ?? "").utf8) }
        }

        mutating func append(_ write: (inout [UInt8]) -> Void) {
            let start = bytes.count
            write(&bytes)
            let count = bytes.count - start
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: count >> shift))
            }
        }
    }
}
