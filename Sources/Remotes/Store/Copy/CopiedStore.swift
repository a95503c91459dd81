internal import LosslessYAML
internal import Platform
internal import TodoModel
internal import Values

/// The source or the target of a copy, in any state.
struct CopiedStore: Sendable {
    let store: Store
}

extension CopiedStore {
    /// Opens a store even if it was moved or isn't complete.
    init(opening location: StoreLocation, _ surroundings: StoreSurroundings) async throws {
        store = Store(try await location.openEngine(surroundings), surroundings)
    }

    /// Opens the store that is copied, even if it was moved.
    init(openingSource location: StoreLocation, _ surroundings: StoreSurroundings) async throws {
        try await self.init(opening: location, surroundings)
        if store.engine.stateAtOpening == .unfinished { throw StoreError.unfinishedCopy(path: store.path) }
    }

    /// Creates an unfinished copy of a store, without its tables, or opens the store at the location.
    init(creatingCopyOf original: Store, at location: StoreLocation) async throws {
        let surroundings = original.surroundings
        let engine = try await location.createEngine(
            copying: [UInt8](hexadecimal: original.identity), surroundings: surroundings)
        store = Store(engine, surroundings)
    }
}

// MARK: - State

extension CopiedStore {
    func state() async throws -> StoreState { try await store.read { try $0.state() } }

    /// Changes the state.
    ///
    /// - Throws: ``StoreError/busy(path:)`` if another process has changed it meanwhile.
    func change(from expected: StoreState, to state: StoreState) async throws {
        try await store.reportingProblems { [path = store.path] in
            try await store.engine.importing { importer in
                let previous = try importer.exchange(state)
                // The answer to the first try's commit might have been lost.
                guard previous == expected || previous == state else { throw StoreError.busy(path: path) }
            }
        }
    }

    /// Opens the store again after an error, even if the current task was cancelled.
    func reopen(from state: StoreState) async {
        // If this fails, too, the next run of the same command finds the store closed for writes.
        _ = await Task(executorPreference: WorkThreads.current) { try await change(from: state, to: .open) }
            .result
    }

    /// Writes rows to an unfinished copy.
    ///
    /// - Throws: ``StoreError/busy(path:)`` if another process has completed the copy.
    func importing(_ body: @escaping @Sendable (any StoreImporter) throws -> Void) async throws {
        try await store.reportingProblems { [path = store.path] in
            try await store.engine.importing { importer in
                guard try importer.state() == .unfinished else { throw StoreError.busy(path: path) }
                try body(importer)
            }
        }
    }
}

// MARK: - Rows

extension CopiedStore {
    func summary() async throws -> StoreCopy.Summary {
        try await store.read { reader in
            StoreCopy.Summary(
                tableCount: try reader.tableNames().count, recordCount: try Store.recordCount(in: reader),
                keyCount: try reader.keys().count)
        }
    }

    func operationCount(of name: TableName) async throws -> Int {
        try await store.read { reader in try reader.table(named: name).map(reader.operationCount) ?? 0 }
    }

    /// Returns a table's next operations after an id, except forgotten ones; an empty array at the end.
    ///
    /// `gc` might not have removed all forgotten operations yet.
    func operations(of name: TableName, after id: ByteKey?) async throws -> [OperationRow] {
        try await store.read { reader in
            guard let table = try reader.table(named: name) else { return [] }
            var (rows, last): ([OperationRow], ByteKey?) = ([], id)
            while rows.count < CopiedPage.size {
                let page = try reader.operations(after: last, limit: CopiedPage.size, in: table)
                guard let end = page.last else { break }
                rows += page.filter { $0.operation.version.bits > table.lastForgotten.bits }
                last = end.id
            }
            return Array(rows.prefix(CopiedPage.size))
        }
    }

    /// Returns the next keys; nil at the end.
    func keys(after name: String?) async throws -> [KeyRow]? {
        let keys = try await store.read { try $0.keys(after: name, limit: CopiedPage.size) }
        return keys.isEmpty ? nil : keys
    }
}
