internal import LosslessYAML
internal import TodoModel
internal import Values

/// A record that a query examines, valid only as long as its row.
final class QueriedRecord {
    private let row: SQLRow
    /// The names of the fields that the query uses.
    private let names: [String]
    /// The fields with these names, read on first use; empty if their text is damaged.
    private lazy var fields = RecordRow.fields(names, of: row)

    init(_ row: SQLRow, fields names: [String] = []) {
        self.row = row
        self.names = names
    }

    var key: Int64 { RecordRow.key(of: row) }
    var id: String { RecordRow.id(of: row) }

    /// The record for the query's result, and its size in the store in bytes.
    var stored: (record: StoredRecord, size: Int) {
        let content = RecordRow(row)
        return (StoredRecord(content), content.fields.count + (content.layout?.count ?? 0))
    }

    func value(of property: RecordProperty) -> FilterValue {
        switch property {
        case .id: return .string(id)
        case .version: return .version(RecordRow.version(of: row))
        case .createdAt: return .instant(Instant(milliseconds: RecordRow.createdAt(of: row)))
        case .updatedAt: return .instant(Instant(milliseconds: RecordRow.updatedAt(of: row)))
        case .deleted: return .bool(RecordRow.isDeleted(row))
        case .field(let names):
            var value = Value.mapping(fields)
            for name in names {
                guard case .mapping(let mapping) = value, let inner = mapping[name] else { return .null }
                value = inner
            }
            return FilterValue(value)
        }
    }
}

extension RecordQuery {
    /// The names of the fields that the query uses.
    var fieldNames: [String] {
        var names: Set<ByteKey> = []
        func add(_ property: RecordProperty) {
            if case .field(let path) = property, let name = path.first { names.insert(ByteKey(name)) }
        }
        func add(_ expression: FilterExpression) {
            switch expression {
            case .literal: break
            case .property(let property): add(property)
            case .and(let parts), .or(let parts), .call(_, let parts): parts.forEach(add)
            case .not(let part), .negative(let part): add(part)
            case .comparison(_, let left, let right), .arithmetic(_, let left, let right):
                add(left)
                add(right)
            }
        }
        filter.map(add)
        order.forEach { add($0.property) }
        return names.map(\.string)
    }
}
