package import LosslessYAML
package import TodoModel
internal import Values

/// A write to a record, with the conditions of the tables protocol.
package struct RecordWrite: Sendable, Hashable {
    package var id: String
    package var change: Change
    package var condition: Condition
    /// The identifier that makes retries of this write safe; 1 to 255 bytes.
    ///
    /// Nil if the client doesn't send one.
    package var operationID: String?

    package enum Change: Sendable, Hashable {
        /// Creates a record, unless a record or tombstone with the id exists.
        case insert(fields: Mapping, layout: Layout?)
        /// Sets the given fields, possibly to null. Without a layout, the stored layout stays.
        case merge(fields: Mapping, layout: Layout?)
        /// Replaces all fields. Without a layout, the stored layout stays.
        ///
        /// With a tombstone's version as the condition, the record replaces the tombstone.
        case replace(fields: Mapping, layout: Layout?)
        case delete
        /// Restores a deleted record as it was. A record that isn't deleted is written unchanged.
        case undelete
    }

    package enum Condition: Sendable, Hashable {
        case none
        /// The record exists, in any version.
        case exists
        case version(Version)
    }

    package init(id: String, change: Change, condition: Condition = .none, operationID: String? = nil) {
        self.id = id
        self.change = change
        self.condition = condition
        self.operationID = operationID
    }
}

/// The answer to a ``RecordWrite``.
package enum WriteAnswer: Sendable, Hashable {
    /// Applied. The value is the record or tombstone as this write left it.
    case done(StoredRecord)
    /// Applied earlier, and created this version. The second value is the current record or tombstone.
    case repeated(Version, StoredRecord)
    /// Not applied: a record or tombstone has the id, or an id that differs only in case.
    case exists(StoredRecord)
    /// Not applied: the condition doesn't hold.
    case conditionFailed(StoredRecord)
    /// Not applied: the record doesn't exist, or only its tombstone does.
    case notFound
    /// Not applied, and a retry wouldn't help. The status is HTTP's.
    case refused(status: Int, message: String)
}

/// A write, prepared as far as possible without the store.
struct PreparedWrite: Sendable {
    let write: RecordWrite
    /// The reason why the write breaks a rule, regardless of what is stored.
    let refusal: Refusal?
    /// The digest; nil if the write has no operation id.
    let digest: [UInt8]?
    /// The id in lowercase, if it differs.
    let foldedID: String?
    /// The fields as JSON: only the changed fields for a merge, and no fields for a delete or undelete.
    let fields: [UInt8]
    /// The layout as JSON; nil if it is empty or missing.
    let layout: [UInt8]?

    init(_ write: RecordWrite) {
        self.write = write
        let folded = write.id.lowercased()
        foldedID = folded.isSameBytes(as: write.id) ? nil : folded
        fields = write.change.fields.map { JSON.write(.mapping($0)) } ?? []
        let digested = write.change.layout.flatMap(LayoutProperty.json(withoutDevice:))
        let layout = digested.map { LayoutProperty.json($0, with: write.change.layout?.device) }
        self.layout = layout
        digest = write.operationID.map { _ in OperationDigest.digest(of: write, layout: digested) }
        refusal =
            RecordRules.refusal(of: write)
            ?? RecordRules.refusal(ofSize: write.id.utf8.count, fields.count, layout?.count ?? 0)
    }
}

/// The reason why a write is refused, with an HTTP status.
struct Refusal: Error, Hashable {
    let status: Int
    let message: String

    static let answersTooLarge = Refusal(
        status: 503, message: "the responses are too large for one batch; send the rest again")
}

extension RecordWrite.Change {
    /// The fields that the change contains.
    var fields: Mapping? {
        switch self {
        case .insert(let fields, _), .merge(let fields, _), .replace(let fields, _): fields
        case .delete, .undelete: nil
        }
    }

    /// The layout that the change contains; nil if the stored layout stays.
    var layout: Layout? {
        switch self {
        case .insert(_, let layout), .merge(_, let layout), .replace(_, let layout): layout
        case .delete, .undelete: nil
        }
    }
}

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
        Array(text(write, layout: layout).sha256.prefix(size))
    }

    private static func text(_ write: RecordWrite, layout: [UInt8]?) -> [UInt8] {
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
