internal import LosslessYAML
internal import TodoModel
internal import Values

/// A query for a table's records, and the order of the results.
package struct RecordQuery: Sendable, Hashable {
    package var filter: FilterExpression?
    /// The properties to sort by, most significant first.
    ///
    /// Records with the same values for all of these properties are sorted by id.
    package var order: [RecordOrder]
    /// The number of records to skip at the beginning.
    package var skip: Int
    /// The maximum number of records to return.
    package var top: Int
    /// Whether to include tombstones.
    package var includesDeleted: Bool
    /// Whether to count the records that match the filter, regardless of `skip` and `top`.
    package var countsAll: Bool

    package init(
        filter: FilterExpression? = nil, order: [RecordOrder] = [], skip: Int = 0, top: Int = 50,
        includesDeleted: Bool = false, countsAll: Bool = false
    ) {
        self.filter = filter
        self.order = order
        self.skip = skip
        self.top = top
        self.includesDeleted = includesDeleted
        self.countsAll = countsAll
    }
}

/// A property that a query sorts records by.
///
/// Null, lists and mappings come first, then numbers and Boolean values (`false` is 0 and `true` is 1), then
/// strings regardless of case.
package struct RecordOrder: Sendable, Hashable {
    package var property: RecordProperty
    package var isDescending: Bool

    package init(property: RecordProperty, isDescending: Bool = false) {
        self.property = property
        self.isDescending = isDescending
    }
}

/// The result of a ``RecordQuery``.
package struct RecordList: Sendable, Hashable {
    package var records: [StoredRecord]
    /// The number of records that match the filter, if the query counts them.
    package var count: Int?
    /// Whether the list has fewer than ``RecordQuery/top`` records because they are large, and more follow.
    package var isCutShort: Bool
}

/// Finds the records of a table that match a query, reading one row at a time.
struct RecordSearch {
    let query: RecordQuery
    let table: TableRow
    let reader: any StoreReader
    /// The size of the records' JSON, in bytes, that ends the list early.
    let byteLimit: Int
    /// The memory for sorting, in bytes.
    let sortByteSize: Int
    let cancellation: Cancellation

    /// The bounds of the rows that the database reads.
    private var bounds: ColumnBounds {
        var bounds = query.filter.map(ColumnBounds.init) ?? .none
        if !query.includesDeleted { bounds.formIntersection(.notDeleted) }
        return bounds
    }

    /// Returns the records.
    ///
    /// - Throws: ``ODataProblem`` if the filter creates a string that is too long, and `CancellationError`.
    func list() throws -> RecordList {
        var page = RecordPage(maximumCount: query.top, byteLimit: byteLimit)
        let count: Int?
        if query.countsAll, query.filter != nil {
            count = try fillSorted(&page)
        } else {
            count = query.countsAll ? try reader.recordCount(in: table, within: bounds) : nil
            if let order = RowOrder(query.order, in: bounds) {
                try fill(&page, by: order)
            } else if page.isOpen {
                _ = try fillSorted(&page)
            }
        }
        return page.list(count: count)
    }

    /// Fills a page from rows that are already in order, and stops when it is full.
    private func fill(_ page: inout RecordPage, by order: RowOrder) throws {
        var skip = query.skip
        try forEachMatch(by: order) { record in
            if skip > 0 { skip -= 1 } else { page.append(record) }
            return page.isOpen
        }
    }

    /// Fills a page with records that need sorting, in as many passes as the memory limit requires.
    ///
    /// - Returns: The number of records that match the filter.
    private func fillSorted(_ page: inout RecordPage) throws -> Int {
        var skip = max(0, query.skip)
        var last: SortKey?
        while true {
            let (end, isTooFar) = skip.addingReportingOverflow(query.top)
            var sorter = RecordSorter(
                maximumCount: isTooFar ? .max : end, byteSize: sortByteSize, after: last,
                cancellation: cancellation)
            var count = 0
            try forEachMatch(by: nil) { record in
                if page.isOpen { try sorter.add(SortKey(record, query.order)) }
                count += 1
                return true
            }
            let keys = try sorter.sorted()
            for key in keys.dropFirst(skip) where page.isOpen {
                try reader.forEachRecord(in: table, within: .version(key.version), by: nil, expecting: 1) {
                    page.append(QueriedRecord($0))
                    return false
                }
            }
            guard sorter.isCutShort, page.isOpen else { return count }
            skip -= min(skip, keys.count)
            last = keys.last
        }
    }

    /// Calls `body` with each record that matches the filter, until `body` returns false.
    private func forEachMatch(by order: RowOrder?, _ body: (QueriedRecord) throws -> Bool) throws {
        let names = query.fieldNames
        try reader.forEachRecord(in: table, within: bounds, by: order, expecting: nil) { columns in
            try cancellation.check()
            let record = QueriedRecord(columns, fields: names)
            if let filter = query.filter {
                let evaluator = FilterEvaluator(record: record, cancellation: cancellation)
                guard try evaluator.satisfies(filter) else { return true }
            }
            return try body(record)
        }
    }
}

/// Collects the records of a list until they reach a number of records or a size in bytes.
private struct RecordPage {
    let maximumCount: Int
    let byteLimit: Int
    private var records: [StoredRecord] = []
    private var size = 0
    private var isCutShort = false

    init(maximumCount: Int, byteLimit: Int) {
        self.maximumCount = max(0, maximumCount)
        self.byteLimit = byteLimit
    }

    /// Whether there is room for another record.
    var isOpen: Bool { records.count < maximumCount && !isCutShort }

    mutating func append(_ record: QueriedRecord) {
        guard isOpen else { return }
        guard size < byteLimit else {
            isCutShort = true
            return
        }
        let stored = record.stored
        size += stored.size
        records.append(stored.record)
    }

    func list(count: Int?) -> RecordList {
        RecordList(records: records, count: count, isCutShort: isCutShort)
    }
}

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

/// The key that a query sorts a record by.
struct SortKey {
    /// The record's version, which no other record of the table has.
    let version: RecordVersion
    private let id: String
    private let values: [FilterValue]
    private let orders: [RecordOrder]

    init(_ record: QueriedRecord, _ orders: [RecordOrder]) {
        version = record.version
        id = record.id
        values = orders.map { order in
            let value = record.value(of: order.property)
            return if case .bool(let bool) = value { .integer(bool ? 1 : 0) } else { value }
        }
        self.orders = orders
    }

    /// The approximate size of the key in memory, in bytes.
    var size: Int {
        values.reduce(MemoryLayout<Self>.size + 60 + id.utf8.count) {
            $0 + MemoryLayout<FilterValue>.stride + ($1.text.map { 40 + $0.utf8.count } ?? 0)
        }
    }

    func precedes(_ other: SortKey) -> Bool {
        for (index, order) in orders.enumerated() {
            let (left, right) = (values[index], other.values[index])
            let comparison = left.rank == right.rank ? left.order(right) ?? 0 : left.rank - right.rank
            if comparison != 0 { return order.isDescending ? comparison > 0 : comparison < 0 }
        }
        return id.utf8.lexicographicallyPrecedes(other.id.utf8)
    }
}

extension FilterValue {
    /// The rank of the value's type; values of equal rank are compared with each other.
    fileprivate var rank: Int {
        switch self {
        case .null, .collection: 0
        case .bool, .integer, .real, .instant, .version: 1
        case .string: 2
        }
    }
}

/// Finds the first of many sort keys in limited memory.
struct RecordSorter {
    private let maximumCount: Int
    private let byteSize: Int
    private let cancellation: Cancellation
    /// The last key to skip; all smaller keys are skipped, too.
    private let last: SortKey?
    private var keys: [SortKey] = []
    private var size = 0
    /// The greatest key that is kept so far; greater keys can't be part of the result.
    private var end: SortKey?
    /// Whether there are fewer than `maximumCount` keys because they use too much memory, and more follow.
    private(set) var isCutShort = false

    /// The minimum number of keys that are sorted at once.
    private static let minimumBatch = 1000

    init(maximumCount: Int, byteSize: Int, after last: SortKey?, cancellation: Cancellation) {
        self.cancellation = cancellation
        self.byteSize = byteSize
        self.maximumCount = maximumCount
        self.last = last
    }

    mutating func add(_ key: SortKey) throws {
        if let last, !last.precedes(key) { return }
        if let end, !key.precedes(end) { return }
        keys.append(key)
        size += key.size
        let batch = max(maximumCount, Self.minimumBatch)
        if keys.count - maximumCount >= batch || size >= 2 * byteSize { try cut() }
    }

    /// Returns the first keys in order: `maximumCount` of them, unless ``isCutShort`` is true.
    mutating func sorted() throws -> [SortKey] {
        try cut()
        return keys
    }

    private mutating func cut() throws {
        // Comparing long strings takes time.
        try keys.sort {
            try cancellation.check()
            return $0.precedes($1)
        }
        var (count, sum) = (0, 0)
        while count < min(keys.count, maximumCount), count == 0 || sum < byteSize {
            sum += keys[count].size
            count += 1
        }
        if count == keys.count { return }
        if count < maximumCount { isCutShort = true }
        keys.removeSubrange(count...)
        size = sum
        end = keys.last
    }
}
