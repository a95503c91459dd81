/// The name of a table of a store.
///
/// Names are compared regardless of case; ``string`` keeps the case.
package struct TableName: Sendable {
    package let string: String
    /// The name in lowercase, which is the same for all spellings of a table's name.
    let folded: String

    /// The table of a URL that doesn't name one.
    package static let standard = TableName(checked: "todoitem")

    /// Creates a name; nil unless it is a letter or underscore, followed by up to 127 letters, digits and
    /// underscores.
    package init?(_ string: String) {
        let bytes = string.utf8
        guard let first = bytes.first, bytes.count <= 128, first.isLetterOrUnderscore,
            bytes.allSatisfy({
                $0.isLetterOrUnderscore || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            })
        else { return nil }
        self.init(checked: string)
    }

    private init(checked string: String) {
        self.string = string
        folded = string.lowercased()
    }
}

extension TableName: Hashable {
    package static func == (left: TableName, right: TableName) -> Bool { left.folded == right.folded }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

extension UInt8 {
    fileprivate var isLetterOrUnderscore: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// A table's row in the store's list of tables.
struct TableRow: Hashable {
    var key: Int64
    /// The last sequence that was used; 0 before the first write.
    var sequence: Int64 = 0
    /// The last `updatedAt` that was used, in milliseconds since 1970-01-01T00:00:00Z.
    var updatedAt: Int64 = 0
    var usage = TableUsage()
    /// The last sequence whose operations were forgotten, and whose marks can be in packs; 0 for none.
    var forgottenSequence: Int64 = 0
}

extension TableRow {
    /// The largest version whose operations were forgotten.
    var lastForgotten: RecordVersion { .last(ofSequence: forgottenSequence) }
}

/// The space that a table's records use, without deleted records.
struct TableUsage: Hashable {
    var records: Int64 = 0
    /// The size of the records' ids, fields and layouts in bytes.
    var bytes: Int64 = 0

    static func + (left: TableUsage, right: TableUsage) -> TableUsage {
        TableUsage(records: left.records + right.records, bytes: left.bytes + right.bytes)
    }

    static func - (left: TableUsage, right: TableUsage) -> TableUsage {
        TableUsage(records: left.records - right.records, bytes: left.bytes - right.bytes)
    }
}

extension RecordRow {
    /// The record's part of its table's usage.
    var usage: TableUsage {
        isDeleted ? TableUsage() : TableUsage(records: 1, bytes: Int64(id.utf8.count + size))
    }
}

/// The limits of each table of a store.
package struct TableQuota: Sendable, Hashable {
    /// The maximum number of records that aren't deleted; nil for no limit.
    package var records: Int?
    /// The maximum size of these records in bytes; nil for no limit.
    package var bytes: Int?

    package init(records: Int? = nil, bytes: Int? = nil) {
        self.records = records
        self.bytes = bytes
    }

    /// Returns the refusal of a write that would exceed a limit; nil if the write is allowed.
    ///
    /// A write that reduces a table's usage is always allowed.
    func refusal(of change: TableUsage, to usage: TableUsage) -> Refusal? {
        let after = usage + change
        if let records, change.records > 0, after.records > records {
            return Refusal(
                status: 507,
                message: "the table has reached its limit of \(records) todos; delete some to add more")
        }
        if let bytes, change.bytes > 0, after.bytes > bytes {
            return Refusal(
                status: 507,
                message: "the table would exceed its limit of \(bytes) bytes; delete some todos first")
        }
        return nil
    }
}
