internal import LosslessYAML
internal import TodoModel
internal import Values

/// A digest of all that a write says, for noticing an operation id that is used for another write.
///
/// The beginning of a SHA-256, so that no client can prepare two writes with one digest. Equal writes have
/// equal digests, whatever the order of their fields.
enum OperationDigest {
    /// The bytes of a digest; the older ones have 16.
    private static let size = 20

    /// Returns the digest.
    ///
    /// A device that was given another name before it sent a write again still sends the same write.
    ///
    /// - Parameter layout: the write's layout as JSON without the device, which the caller has made already.
    static func digest(of write: RecordWrite, layout: [UInt8]?) -> [UInt8] {
        Array(saying(write, layout: layout).sha256.prefix(size))
    }

    /// Returns whether a digest that was stored is that of a write.
    ///
    /// Stores have digests from before SHA-256, which are told by their length: SipHash with the store's
    /// identity for its key. An operation that is sent again after the upgrade is thus known.
    static func isDigest(_ stored: [UInt8], of prepared: PreparedWrite, identity: [UInt8]) -> Bool {
        if stored.count == size { return stored == prepared.digest }
        let layout = prepared.write.change.layout.flatMap(LayoutProperty.json(withoutDevice:))
        return stored == SipHash.hash128(saying(prepared.write, layout: layout), key: identity)
    }

    private static func saying(_ write: RecordWrite, layout: [UInt8]?) -> [UInt8] {
        var parts = Parts()
        parts.append { $0.append(contentsOf: write.id.utf8) }
        parts.append { $0.append(contentsOf: kind(of: write).utf8) }
        parts.append { JSON.write(.mapping(write.change.fields ?? [:]), form: .sorted, to: &$0) }
        parts.append {
            if case .version(let base) = write.condition { $0.append(contentsOf: base.string.utf8) }
        }
        // A layout that says nothing takes the stored one away, no layout leaves it: only that has no part.
        let hasNoLayout = write.change.fields != nil && write.change.layout == nil
        if !hasNoLayout { parts.append { $0.append(contentsOf: layout ?? []) } }
        return parts.bytes
    }

    /// These words are in the digests of every store: changing one would make retries look like other writes.
    private static func kind(of write: RecordWrite) -> String {
        let change =
            switch write.change {
            case .insert: "insert"
            case .merge: "update"
            case .replace: "recreate"
            case .delete: "delete"
            case .undelete: "undelete"
            }
        return switch write.condition {
        case .exists: change + " what exists"
        case .none where change != "insert": change + " anything"
        case .none, .version: change
        }
    }

    /// Byte strings one after the other, each followed by its length, so that no two sequences look alike.
    private struct Parts {
        var bytes: [UInt8] = []

        init() {
            // The buffer of most writes need not grow.
            bytes.reserveCapacity(2048)
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
