extension Store {
    package var figures: StoreFigures {
        get async {
            var figures = await writeCombiner.figures()
            figures.connections = engine.connections
            figures.replicaReads = engine.replicaReads
            return figures
        }
    }

    /// Returns the names of the tables, sorted regardless of case.
    package func tableNames() async throws -> [TableName] {
        try await read { try $0.tableNames() }.sorted { $0.folded < $1.folded }
    }

    /// Creates a table without records; returns false if it already exists.
    package func addTable(_ name: TableName) async throws -> Bool {
        try await write { writer, _ in
            guard try writer.table(named: name) == nil else { return false }
            _ = try writer.insertTable(named: name)
            return true
        }
    }
}
