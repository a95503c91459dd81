internal import LosslessYAML
package import TodoModel
internal import Values

/// A record of a store, with the times that users and clients of the tables protocol see.
package struct StoredRecord: Sendable, Hashable {
    package var record: RemoteRecord
    /// The time of the first write, in milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64
    /// The time of the last write, in milliseconds since 1970-01-01T00:00:00Z; strictly increasing in a table
    /// with each write.
    package var updatedAt: Int64

    package init(record: RemoteRecord, createdAt: Int64, updatedAt: Int64) {
        self.record = record
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// Creates a record from its row.
    ///
    /// - Parameters:
    ///   - fields: The row's fields, if the caller has them as values.
    ///   - layout: The row's layout, if it has one and the caller has it as a value.
    init(_ row: RecordRow, fields: Mapping? = nil, layout: Layout? = nil) {
        self.init(
            record: row.record(fields: fields, layout: layout), createdAt: row.createdAt,
            updatedAt: row.updatedAt)
    }
}

/// A record's row, with its stored text.
struct RecordRow {
    /// The row's key in SQLite; 0 if it isn't known.
    var key: Int64 = 0
    var id: String
    /// The id in lowercase, if it differs.
    var foldedID: String?
    var version: RecordVersion
    var isDeleted: Bool
    var createdAt: Int64
    var updatedAt: Int64
    var fields: [UInt8]
    var layout: [UInt8]?

    /// The size of the stored text in bytes.
    var size: Int { fields.count + (layout?.count ?? 0) }

    /// Returns the record in the form that clients receive.
    ///
    /// A record with damaged text has no fields, so only that todo is unusable.
    func record(fields: Mapping? = nil, layout known: Layout? = nil) -> RemoteRecord {
        let fields = fields ?? mapping()
        return RemoteRecord(
            id: id, version: version.version, isDeleted: isDeleted, fields: fields ?? [:],
            layout: layout.flatMap { known ?? Self.value(of: $0).flatMap(LayoutProperty.layout) },
            problem: fields == nil ? "its text in the store is damaged" : nil)
    }

    /// Returns the fields; nil if their text is damaged.
    func mapping() -> Mapping? {
        guard case .mapping(let mapping)? = Self.value(of: fields) else { return nil }
        return mapping
    }

    /// Returns the value of stored text; nil if the text is damaged.
    static func value(of text: [UInt8]) -> Value? {
        try? JSON.read(text, maximumSize: .max, maximumValueCount: .max)
    }
}

extension RecordRow {
    init(_ columns: some RecordColumns) {
        key = columns.integer(.key)
        id = columns.string(.id)
        foldedID = columns.isNull(.foldedID) ? nil : columns.string(.foldedID)
        version = RecordVersion(bits: columns.integer(.version))
        isDeleted = columns.integer(.deleted) != 0
        createdAt = columns.integer(.createdAt)
        updatedAt = columns.integer(.updatedAt)
        fields = columns.bytes(.fields)
        layout = columns.isNull(.layout) ? nil : columns.bytes(.layout)
    }
}
