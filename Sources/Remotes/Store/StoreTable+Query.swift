internal import GRDB
internal import LosslessYAML
internal import Synchronization
internal import TodoModel
internal import Values

extension StoreTable {
    /// Returns whether the table exists: it was created, or records were written to it.
    package func exists() async throws -> Bool {
        try await store.read { [name] database in try TableRow.find(name, in: database) != nil }
    }

    /// Returns the records that match a query; an empty list if the table doesn't exist.
    ///
    /// - Throws: ``ODataProblem`` if the query creates a text that is too long, or takes longer than
    ///   ``queryTime`` after it has started.
    package func records(_ query: RecordQuery) async throws -> RecordList {
        let (turn, turnCame) = AsyncStream<Void>.makeStream()
        return try await withThrowingTaskGroup(of: RecordList?.self) { tasks in
            tasks.addTask {
                defer { turnCame.finish() }
                return try await found(query) { turnCame.finish() }
            }
            tasks.addTask { [queryTime] in
                for await _ in turn {}
                try await Task.sleep(for: queryTime)
                return nil
            }
            // Cancel the other task, which is still running.
            defer { tasks.cancelAll() }
            guard let list = try await tasks.next() ?? nil else {
                throw ODataProblem(message: "the query takes too long", offset: 0)
            }
            return list
        }
    }

    /// Returns the records that match a query.
    ///
    /// - Parameter begun: called when the query no longer waits for others.
    private func found(_ query: RecordQuery, begun: @escaping @Sendable () -> Void) async throws -> RecordList
    {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await store.read { [name, pageByteSize, sortByteSize] database in
                begun()
                guard let table = try TableRow.find(name, in: database) else {
                    return RecordList(records: [], count: query.countsAll ? 0 : nil, isCutShort: false)
                }
                let search = RecordSearch(
                    query: query, rows: StoredRows(table: table, database: database), byteLimit: pageByteSize,
                    sortByteSize: sortByteSize, cancellation: cancellation)
                return try search.list()
            }
        } onCancel: {
            cancellation.request()
        }
    }
}

/// A flag that cancels work outside of its task.
final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isRequested: Bool { flag.load(ordering: .relaxed) }

    func request() { flag.store(true, ordering: .relaxed) }
}

/// The rows of a table, for a query.
struct StoredRows {
    let table: TableRow
    let database: Database

    /// Calls `body` with each row within bounds, until `body` returns false.
    ///
    /// - Parameter order: the order of the rows; nil for any.
    func forEach(in bounds: ColumnBounds, by order: RowOrder?, _ body: (SQLRow) throws -> Bool) throws {
        let (condition, parameters) = condition(bounds)
        let order = order.map { " ORDER BY " + $0.sql } ?? ""
        try SQLStatement(
            "SELECT \(RecordRow.columns) FROM record WHERE \(condition)\(order)", in: database
        ).forEach(parameters, body: body)
    }

    func count(in bounds: ColumnBounds) throws -> Int {
        let (condition, parameters) = condition(bounds)
        return try SQLStatement("SELECT count(*) FROM record WHERE \(condition)", in: database)
            .first(parameters) { Int($0.integer(0)) } ?? 0
    }

    /// Calls `body` with the row that has a key.
    func row(key: Int64, _ body: (SQLRow) -> Void) throws {
        _ = try SQLStatement("SELECT \(RecordRow.columns) FROM record WHERE key = ?", in: database)
            .first(.integer(key), read: body)
    }

    private func condition(_ bounds: ColumnBounds) -> (sql: String, parameters: [SQLParameter]) {
        var conditions = ["todo_table = ?1"]
        var parameters = [SQLParameter.integer(table.key)]
        for column in ColumnBounds.Column.allCases {
            guard let range = bounds.ranges[column] else { continue }
            parameters += [.integer(range.least), .integer(range.greatest)]
            let count = parameters.count
            conditions.append("\(column.rawValue) BETWEEN ?\(count - 1) AND ?\(count)")
        }
        if let ids = bounds.ids {
            parameters.append(.text(JSON.write(.list(ids.map { .string($0) }))))
            let values = "SELECT value FROM json_each(?\(parameters.count))"
            // In this form, SQLite uses the indices of both columns.
            conditions.append(
                """
                id IN (\(values) UNION ALL \
                SELECT id FROM record WHERE todo_table = ?1 AND folded_id IN (\(values)))
                """)
        }
        return (conditions.joined(separator: " AND "), parameters)
    }
}

/// An order of rows that an index provides.
enum RowOrder: Equatable {
    /// Sorted by the bytes of the ids.
    case id
    case version(isDescending: Bool)
    case updatedAt(isDescending: Bool)

    /// Creates the order that a query asks for; nil if no index provides it, or if another index suits the
    /// query's bounds better.
    ///
    /// The database never sorts rows itself.
    init?(_ orders: [RecordOrder], in bounds: ColumnBounds) {
        let bound = Set(bounds.ranges.keys).intersection([.version, .updatedAt])
        guard bounds.ids == nil else { return nil }
        // Versions and times are unique in a table, so no other property matters.
        switch orders.first?.property {
        case nil where bound.isEmpty: self = .id
        case .version where bound.isSubset(of: [.version]):
            self = .version(isDescending: orders[0].isDescending)
        case .updatedAt where bound.isSubset(of: [.updatedAt]):
            self = .updatedAt(isDescending: orders[0].isDescending)
        default: return nil
        }
    }

    fileprivate var sql: String {
        switch self {
        case .id: "id"
        case .version(let isDescending): isDescending ? "version DESC" : "version"
        case .updatedAt(let isDescending): isDescending ? "updated_at DESC" : "updated_at"
        }
    }
}
