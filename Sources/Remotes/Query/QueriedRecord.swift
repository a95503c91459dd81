internal import LosslessYAML
internal import TodoModel
internal import Values

/// A record that a query examines, valid only as long as its row.
final class QueriedRecord {
    private let columns: any RecordColumns
    /// The names of the fields that the query uses.
    private let names: [String]
    /// The fields with these names, read on first use; empty if their text is damaged.
    private lazy var fields =
        columns.withBytes(.fields) { try? JSON.readMembers(names, of: $0) } ?? [:]

    init(_ columns: any RecordColumns, fields names: [String] = []) {
        self.columns = columns
        self.names = names
    }

    var id: String { columns.string(.id) }
    var version: RecordVersion { RecordVersion(bits: columns.integer(.version)) }

    /// The record for the query's result, and its size in the store in bytes.
    var stored: (record: StoredRecord, size: Int) {
        let row = RecordRow(columns)
        return (StoredRecord(row), row.size)
    }

    func value(of property: RecordProperty) -> FilterValue {
        switch property {
        case .id: return .string(id)
        case .version: return .version(version)
        case .createdAt: return .instant(Instant(milliseconds: columns.integer(.createdAt)))
        case .updatedAt: return .instant(Instant(milliseconds: columns.integer(.updatedAt)))
        case .deleted: return .bool(columns.integer(.deleted) != 0)
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
