internal import GRDB
internal import LosslessYAML
package import TodoModel
internal import Values

extension Store {
    /// Returns descriptions of the store's problems; an empty array if there are none.
    ///
    /// SQLite checks the whole file. Then the records are checked for rules that SQLite doesn't know: no
    /// version is used twice or is newer than the table's, ids are folded correctly, and every record can be
    /// read.
    package func problems(reporting progress: Progress.Reporter? = nil) async throws -> [String] {
        do {
            return try await read { try Self.problems(in: $0, progress) }
        } catch RemoteError.store(.damaged(_, let detail)) {
            // SQLite gave up because the store is too damaged.
            return ["SQLite: \(detail)"]
        }
    }

    private static func problems(
        in database: Database, _ progress: Progress.Reporter?
    ) throws -> [String] {
        var problems: [String] = []
        // SQLite's own check is the longer part, and doesn't report its progress. It describes damage that
        // makes counting fail.
        let count = progress == nil ? nil : try? Int.fetchOne(database, sql: "SELECT count(*) FROM record")
        progress?(Progress(.checking, .todos, done: 0, total: count))
        try SQLStatement("PRAGMA integrity_check(20)", in: database).forEach { row in
            let line = row.string(0)
            if line != "ok" { problems.append("SQLite: \(line)") }
            return true
        }
        try SQLStatement("PRAGMA foreign_key_check", in: database).forEach { row in
            problems.append("a row of \(row.string(0)) does not belong to a table")
            return true
        }
        // Records can't be checked if SQLite can't read them.
        guard problems.isEmpty else { return problems }
        let counter = progress.map { ProgressCounter(.checking, .todos, total: count, $0) }
        return try recordProblems(in: database, counter)
    }

    private static func recordProblems(
        in database: Database, _ counter: ProgressCounter?
    ) throws -> [String] {
        var problems: [String] = []
        var sequences: [Int64: Set<Int64>] = [:]
        let sql = """
            SELECT todo_table.name, todo_table.sequence, record.id, record.folded_id, record.version,
                record.fields, record.layout, todo_table.key
            FROM record JOIN todo_table ON todo_table.key = record.todo_table
            """
        try SQLStatement(sql, in: database).forEach { row in
            let name = "\(row.string(0)): \(row.string(2))"
            let sequence = RecordVersion(bits: row.integer(4)).sequence
            if sequence > row.integer(1) || sequence < 1 {
                problems.append("\(name): its version is newer than its table")
            }
            if !sequences[row.integer(7), default: []].insert(sequence).inserted {
                problems.append("\(name): another record has the same position in the change feed")
            }
            let id = row.string(2)
            let folded = row.isNull(3) ? id : row.string(3)
            if !folded.isSameBytes(as: id.lowercased()) {
                problems.append("\(name): its folded id is wrong")
            }
            if TodoID.problem(with: id) != nil { problems.append("\(name): its id is not valid") }
            let fields = try? JSON.read(row.bytes(5), maximumSize: .max, maximumValueCount: .max)
            if case .mapping? = fields {} else { problems.append("\(name): its fields can't be read") }
            if !row.isNull(6),
                (try? JSON.read(row.bytes(6), maximumSize: .max, maximumValueCount: .max)) == nil
            {
                problems.append("\(name): its text and path can't be read")
            }
            counter?.add()
            // These are enough to show that the store needs a repair.
            return problems.count < 100
        }
        return problems
    }
}
