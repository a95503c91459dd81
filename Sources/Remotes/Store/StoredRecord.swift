internal import LosslessYAML
public import TodoModel

/// A record as a store has it: with the times that people and the tables protocol's clients look at.
public struct StoredRecord: Sendable, Hashable {
    public var record: RemoteRecord
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var createdAt: Int64
    /// Milliseconds since 1970-01-01T00:00:00Z, strictly increasing in a table with each write.
    public var updatedAt: Int64
}

/// A record's row, with its texts as they are stored.
struct RecordRow {
    var key: Int64
    var id: String
    var version: RecordVersion
    var isDeleted: Bool
    var createdAt: Int64
    var updatedAt: Int64
    var fields: [UInt8]
    var layout: [UInt8]?

    /// The columns that ``init(_:)`` reads, in its order.
    static let columns = "key, id, version, deleted, created_at, updated_at, fields, layout"

    init(_ row: SQLRow) {
        key = row.integer(0)
        id = row.string(1)
        version = RecordVersion(bits: row.integer(2))
        isDeleted = row.integer(3) != 0
        createdAt = row.integer(4)
        updatedAt = row.integer(5)
        fields = row.bytes(6)
        layout = row.isNull(7) ? nil : row.bytes(7)
    }

    /// The record as clients get it.
    ///
    /// One whose texts something else has broken has no fields, so that it is one todo which can't be used
    /// and holds up no other.
    func record() -> RemoteRecord {
        RemoteRecord(
            id: id, version: version.version, isDeleted: isDeleted, fields: (try? mapping()) ?? [:],
            layout: layout.flatMap { text in (try? read(text)).flatMap(LayoutProperty.layout) })
    }

    func mapping() throws -> Mapping {
        guard case .mapping(let mapping) = try read(fields) else { throw StoredTextIsBroken(id: id) }
        return mapping
    }

    private func read(_ text: [UInt8]) throws -> Value {
        do {
            return try JSON.read(text, maximumSize: .max)
        } catch {
            throw StoredTextIsBroken(id: id)
        }
    }
}

/// A stored text is not the JSON that a store writes: the file was damaged or changed by something else.
struct StoredTextIsBroken: Error {
    let id: String
}
