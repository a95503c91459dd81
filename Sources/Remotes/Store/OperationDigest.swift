internal import LosslessYAML
internal import TodoModel
internal import Values

/// A digest of a write; it reveals an operation id that is reused for a different write.
///
/// The digest is the beginning of a SHA-256, so clients can't construct two writes with the same digest.
/// Equal writes have equal digests, regardless of the order of their fields.
enum OperationDigest {
    /// The size of a digest in bytes.
    private static let size = 20

    /// Returns the digest.
    ///
    /// The device's name is left out: a write that is retried after the name changed is still the same write.
    ///
    /// - Parameter layout: The write's layout as JSON, without the device.
    static func digest(of write: RecordWrite, layout: [UInt8]?) -> [UInt8] {
        Array(saying(write, layout: layout).sha256.prefix(size))
    }

    private static func saying(_ write: RecordWrite, layout: [UInt8]?) -> [UInt8] {
        var parts = Parts()
        parts.append { $0.append(contentsOf: write.id.utf8) }
        parts.append { $0.append(contentsOf: kind(of: write).utf8) }
        parts.append { JSON.write(.mapping(write.change.fields ?? [:]), form: .sorted, to: &$0) }
        parts.append {
            if case .version(let base) = write.condition { $0.append(contentsOf: base.string.utf8) }
        }
        // Without a layout, a write keeps the stored layout; with an empty layout, it removes the stored
        // layout.
        let hasNoLayout = write.change.fields != nil && write.change.layout == nil
        if !hasNoLayout { parts.append { $0.append(contentsOf: layout ?? []) } }
        return parts.bytes
    }

    /// Returns the word for a kind of write.
    ///
    /// The words are part of every store's digests: if one changed, retries would look like different writes.
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

    /// A concatenation of byte strings, each followed by its length, so that different sequences have
    /// different results.
    private struct Parts {
        var bytes: [UInt8] = []

        init() {
            // This is large enough for most writes, so the buffer rarely grows.
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
