internal import GRDB

extension StoreTable {
    /// Returns whether anything was ever written to the table, or it was added.
    package func exists() async throws -> Bool {
        try await store.read { [name] database in try TableRow.find(name, in: database) != nil }
    }

    /// Returns the records that a query asks for, none of a table that does not exist.
    ///
    /// - Throws: ``ODataProblem`` for a query that is too complex, or takes longer than ``queryTime``
    ///   from its turn on.
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
            // The other one ends with its task's cancellation: SQLite is interrupted.
            defer { tasks.cancelAll() }
            guard let list = try await tasks.next() ?? nil else {
                throw ODataProblem(message: "the query takes too long", offset: 0)
            }
            return list
        }
    }

    /// - Parameter begun: Called when others have not to be waited for any longer.
    private func found(_ query: RecordQuery, begun: @escaping @Sendable () -> Void) async throws -> RecordList
    {
        try await store.read { [name, pageByteSize] database in
            begun()
            guard let table = try TableRow.find(name, in: database) else {
                return RecordList(records: [], count: query.countsAll ? 0 : nil, isCutShort: false)
            }
            let statements = try QueryStatements(query, table: table)
            do {
                let count = query.countsAll ? try statements.count(in: database) : nil
                let (rows, isCutShort) = try statements.rows(byteLimit: pageByteSize, in: database)
                return RecordList(
                    records: rows.map { StoredRecord($0) }, count: count, isCutShort: isCutShort)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
                throw ODataProblem(message: "a text that the filter makes is too long", offset: 0)
            } catch let error as DatabaseError where error.isAboutTheQuery {
                throw ODataProblem(message: "the query is too complex", offset: 0)
            }
        }
    }
}

extension DatabaseError {
    /// Whether SQLite can't work with the SQL that was made of a query.
    ///
    /// Its parser's stack, an expression's depth, the number of terms and more have bounds. What is missing
    /// in the store is another matter.
    fileprivate var isAboutTheQuery: Bool {
        resultCode == .SQLITE_ERROR && message?.hasPrefix("no such ") != true
    }
}

/// A query in SQL.
private struct QueryStatements {
    private let source: String
    private let order: String
    private let parameters: [SQLParameter]
    private let limits: [SQLParameter]
    private let countParameters: [SQLParameter]

    init(_ query: RecordQuery, table: TableRow) throws(ODataProblem) {
        var sql = FilterSQL(table: table)
        var conditions = ["todo_table = \(sql.table)"]
        if !query.includesDeleted { conditions.append("deleted = 0") }
        if let filter = query.filter { conditions.append(try sql.condition(filter)) }
        // A text that something else has broken has no fields, and stops no query.
        source = """
            (SELECT *, iif(json_valid(fields), fields, '{}') AS field_values FROM record)
            WHERE \(conditions.joined(separator: " AND "))
            """
        countParameters = sql.parameters
        order = sql.order(query.order)
        parameters = sql.parameters
        limits = [.integer(Int64(max(0, query.top))), .integer(Int64(max(0, query.skip)))]
    }

    func count(in database: Database) throws -> Int {
        let statement = try SQLStatement(uncached: "SELECT count(*) FROM \(source)", in: database)
        return try statement.first(countParameters) { Int($0.integer(0)) } ?? 0
    }

    /// Returns the rows, or those at the beginning that have a bit more than a number of bytes.
    func rows(byteLimit: Int, in database: Database) throws -> (rows: [RecordRow], areCutShort: Bool) {
        let statement = try SQLStatement(
            uncached: """
                SELECT \(RecordRow.columns) FROM \(source) ORDER BY \(order)
                LIMIT ?\(parameters.count + 1) OFFSET ?\(parameters.count + 2)
                """, in: database)
        var rows: [RecordRow] = []
        var bytes = 0
        var areCutShort = false
        try statement.forEach(parameters + limits) { row in
            guard bytes < byteLimit else {
                areCutShort = true
                return false
            }
            let row = RecordRow(row)
            bytes += row.fields.count + (row.layout?.count ?? 0)
            rows.append(row)
            return true
        }
        return (rows, areCutShort)
    }
}
