internal import LosslessYAML
internal import TodoModel

/// A digest of all that an operation says, for noticing an operation id that is used for another operation.
///
/// SipHash with 128 bits, keyed with the store's identity: stable (Swift's `Hasher` differs from run to run), fast
/// on the few hundred bytes of a todo, and without collisions that a client could prepare, as it does not know
/// the key. Equal operations have equal digests, whatever the order of their fields.
enum OperationDigest {
    /// Returns the digest.
    ///
    /// - Parameter layout: the operation's layout as JSON, which the caller has made already.
    static func digest(of operation: PushOperation, layout: [UInt8]?, key: [UInt8]) -> [UInt8] {
        var parts = Parts()
        parts.append(Array(operation.id.utf8))
        switch operation.change {
        case .insert(let fields, _): parts.append("insert", fields, layout, base: nil)
        case .update(let fields, _, let base): parts.append("update", fields, layout, base: base)
        case .delete(let base): parts.append("delete", [:], layout, base: base)
        case .recreate(let fields, _, let base): parts.append("recreate", fields, layout, base: base)
        }
        return SipHash.hash128(parts.bytes, key: key)
    }

    /// Byte strings one after the other, each behind its length, so that no two sequences look alike.
    private struct Parts {
        var bytes: [UInt8] = []

        mutating func append(_ kind: StaticString, _ fields: Mapping, _ layout: [UInt8]?, base: Version?) {
            append(Array("\(kind)".utf8))
            append(JSON.write(.mapping(fields), form: .sorted))
            append(layout ?? [])
            append(Array((base?.string ?? "").utf8))
        }

        mutating func append(_ part: [UInt8]) {
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: part.count >> shift))
            }
            bytes.append(contentsOf: part)
        }
    }
}
