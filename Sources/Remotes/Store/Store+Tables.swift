internal import GRDB

extension Store {
    /// Returns the names of the tables, sorted regardless of case.
    package func tableNames() async throws -> [TableName] {
        try await read { database in
            var names: [TableName] = []
            try SQLStatement("SELECT name FROM todo_table ORDER BY name", in: database).forEach { row in
                if let name = TableName(row.string(0)) { names.append(name) }
                return true
            }
            return names
        }
    }

    /// Creates a table without records; returns false if it already exists.
    package func addTable(_ name: TableName) async throws -> Bool {
        try await write { database in
            guard try TableRow.find(name, in: database) == nil else { return false }
            _ = try TableRow.insert(name, in: database)
            return true
        }
    }
}
