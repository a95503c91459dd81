internal import LosslessYAML
internal import Platform
package import TodoModel
internal import Values

/// A copy of a store to a different location, made while clients use the store.
///
/// ```
/// source   open ───────────────▶ moving ────────────▶ moved
///            copy the changes       copy the rest,
///            until few are left     and compare all
/// target   unfinished ─────────────────────────────────────▶ open
/// ```
///
/// The target gets the identity, the versions, the cursors, the operations and the keys of the source, so
/// clients can continue with the target. The source and the target are never open at the same time. Every
/// step can be repeated, so an interrupted copy continues where it stopped.
package struct StoreCopy: Sendable {
    let source: CopiedStore
    let target: CopiedStore
    private let targetLocation: String
    private let surroundings: StoreSurroundings

    /// The numbers of rows in a complete copy.
    package struct Summary: Sendable, Hashable {
        package var tableCount = 0
        package var recordCount = 0
        package var keyCount = 0
    }

    /// The source is closed for writes once a round copies at most this number of changes.
    private static let fewChanges = 1000
    /// The maximum number of rounds before the source is closed for writes.
    private static let mostRounds = 10

    /// Prepares a copy, and creates the target unless it is an interrupted copy of the same store.
    ///
    /// - Throws: `StoreError`, and ``StoreCopyProblem`` if the target can't be used for this copy.
    package init(
        from source: StoreLocation, to target: StoreLocation, surroundings: StoreSurroundings
    ) async throws {
        self.source = try await CopiedStore(openingSource: source, surroundings)
        // Nothing is created for a copy that can't be made.
        let state = try await self.source.state()
        if case .moved(let location) = state {
            guard location == target.remembered else {
                throw StoreError.moved(
                    path: self.source.store.path, to: StoreLocation(remembered: location).description)
            }
        } else {
            // This shows early whether the user has the permission that is needed at the end.
            try await self.source.change(from: state, to: state)
        }
        self.target = try await CopiedStore(creatingCopyOf: self.source.store, at: target)
        targetLocation = target.remembered
        self.surroundings = surroundings
        guard self.target.store.identity == self.source.store.identity else {
            throw StoreCopyProblem.otherStore(self.target.store.path)
        }
    }

    /// Copies the store, closes the source, and opens the target.
    ///
    /// If an error occurs after the source was closed for writes, the source is opened again.
    ///
    /// - Throws: `StoreError`, `RemoteError`, ``StoreCopyProblem``; `CancellationError` when asked to end.
    package func run(reporting progress: Progress.Reporter? = nil) async throws -> Summary {
        switch (try await source.state(), try await target.state()) {
        case (.moved(targetLocation), .open): break
        case (.moved(targetLocation), .unfinished):
            // The copy was interrupted after the comparison.
            try await target.change(from: .unfinished, to: .open)
        case (.moved(let location), _):
            throw StoreError.moved(
                path: source.store.path, to: StoreLocation(remembered: location).description)
        case (_, .unfinished):
            try await copy(progress)
            // If the copy is interrupted between these steps, neither store is open, and the next run opens
            // the target.
            try await source.change(from: .moving(to: targetLocation), to: .moved(to: targetLocation))
            try await target.change(from: .unfinished, to: .open)
        case (_, .open), (_, .moving), (_, .moved): throw StoreCopyProblem.inUse(target.store.path)
        }
        return try await target.summary()
    }

    private func copy(_ progress: Progress.Reporter?) async throws {
        let before = try await source.state()
        let copier = StoreCopier(source: source, target: target, isAskedToEnd: surroundings.isAskedToEnd)
        let counter = progress.map { ProgressCounter(.copying, .todos, total: nil, $0) }
        for _ in 0..<Self.mostRounds {
            if try await copier.copyChanges(counter) <= Self.fewChanges { break }
        }
        let moving = StoreState.moving(to: targetLocation)
        try await source.change(from: before, to: moving)
        do {
            _ = try await copier.copyChanges(counter)
            try await copier.copyKeys()
            try await copier.compare(progress.map { ProgressCounter(.checking, .todos, total: nil, $0) })
        } catch {
            await source.reopen(from: moving)
            throw error
        }
    }
}

/// The reason why a store can't be copied.
package enum StoreCopyProblem: Error, Sendable, Hashable {
    /// The target is a different store. The value is its path.
    case otherStore(String)
    /// The target has the source's identity and is already in use. The value is its path.
    case inUse(String)
    /// The target has been changed since the copy. The value is its path.
    case changed(String)
    /// The target differs from the source. The value names what differs.
    case differs(String)
}

// MARK: - Giving up

extension StoreCopy {
    /// Opens the source again, and removes or closes its copy.
    ///
    /// An incomplete copy is removed. A complete copy is closed, unless it was changed.
    ///
    /// - Parameter target: The copy's location; nil for the location that the source has recorded. An open
    ///   source has recorded none.
    /// - Returns: False if the source is open and no target is given, so there is nothing to do.
    /// - Throws: `StoreError`, `RemoteError`, and ``StoreCopyProblem``.
    package static func giveUp(
        from source: StoreLocation, to target: StoreLocation?, surroundings: StoreSurroundings
    ) async throws -> Bool {
        let opened = try await CopiedStore(openingSource: source, surroundings)
        let location: StoreLocation?
        switch (try await opened.state(), target) {
        case (.moved(let remembered), let target?) where target.remembered != remembered:
            throw StoreError.moved(
                path: opened.store.path, to: StoreLocation(remembered: remembered).description)
        case (_, let target?): location = target
        case (.moved(let remembered), nil), (.moving(let remembered), nil):
            location = StoreLocation(remembered: remembered)
        case (.open, nil): return false
        case (.unfinished, nil): location = nil
        }
        if let location {
            try await close(location, for: opened, rememberedAs: source.remembered, surroundings)
        }
        try await opened.change(from: opened.state(), to: .open)
        return true
    }

    private static func close(
        _ location: StoreLocation, for source: CopiedStore, rememberedAs formerLocation: String,
        _ surroundings: StoreSurroundings
    ) async throws {
        let target: CopiedStore
        do {
            target = try await CopiedStore(opening: location, surroundings)
        } catch StoreError.notFound, StoreError.notAStore, StoreError.database(_, .missing) {
            // The copy was interrupted before it had any content, or the location is empty now.
            return
        }
        guard target.store.identity == source.store.identity else {
            throw StoreCopyProblem.otherStore(target.store.path)
        }
        switch (try await source.state(), try await target.state()) {
        case (_, .unfinished): try await target.store.engine.remove()
        case (.moved, .moved(formerLocation)): break
        case (.moved, let state) where state == .open || state == .moving(to: formerLocation):
            let moving = StoreState.moving(to: formerLocation)
            try await target.change(from: state, to: moving)
            do {
                try await StoreCopier(
                    source: source, target: target, isAskedToEnd: surroundings.isAskedToEnd
                ).compare(nil)
            } catch {
                await target.reopen(from: moving)
                throw error is StoreCopyProblem ? StoreCopyProblem.changed(target.store.path) : error
            }
            try await target.change(from: moving, to: .moved(to: formerLocation))
        case (.moved, .moved(let location)):
            throw StoreError.moved(
                path: target.store.path, to: StoreLocation(remembered: location).description)
        case (.open, _), (.moving, _), (.unfinished, _), (.moved, _):
            throw StoreCopyProblem.inUse(target.store.path)
        }
    }
}

// MARK: - The source and the target

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

extension Store {
    /// Copies a store in a folder to a new folder while it is in use, and checks the copy.
    ///
    /// The copy has the store's state at a single moment. It appears at its path only once it is on disk.
    ///
    /// - Parameter target: The path of a folder that is empty or doesn't exist; its parent exists.
    /// - Returns: The numbers of rows in the copy.
    /// - Throws: `StoreError`; ``StoreError/damaged(path:detail:)`` if the copy, and so the store, has a
    ///   problem.
    package static func backUp(
        _ path: String, to target: String, surroundings: StoreSurroundings
    ) async throws -> StoreCopy.Summary {
        let source = try SQLiteEngine.open(
            at: path, surroundings: surroundings, busyTimeout: SQLiteEngine.busyTimeout)
        // The backup of a store that accepts no writes wouldn't accept any, either.
        try source.stateAtOpening.checkIsWritable(at: path)
        let folder = StoreFolder(path: target)
        try folder.checkIsFree()
        let unfinished = StoreFolder(path: target + ".unfinished")
        try unfinished.removeStore()
        do {
            try unfinished.create()
            try await source.copyDatabase(to: unfinished)
            let copy = try open(at: unfinished.path, surroundings: surroundings)
            if let problem = try await copy.problems().first {
                throw StoreError.damaged(path: path, detail: problem)
            }
            let summary = try await CopiedStore(store: copy).summary()
            try await copy.close()
            try unfinished.move(to: folder)
            return summary
        } catch {
            try? unfinished.removeStore()
            throw error
        }
    }
}

extension StoreFolder {
    /// Checks that a store can be moved to this path.
    fileprivate func checkIsFree() throws(StoreError) {
        if try exists, try !isEmpty() { throw .folderNotEmpty(path: path) }
    }

    /// Removes the files of a store, and then the folder, which must be empty.
    fileprivate func removeStore() throws(StoreError) {
        try removeDatabase()
        guard rmdir(path) == 0 || errno == ENOENT else { throw systemError() }
    }

    /// Moves the whole folder to a free path, once the folder's content is on disk.
    fileprivate func move(to folder: StoreFolder) throws(StoreError) {
        try synchronize(databasePath)
        try synchronize(path)
        guard rename(path, folder.path) == 0 else { throw folder.systemError() }
        let parent = folder.path.split(separator: "/").dropLast().joined(separator: "/")
        try synchronize((folder.path.hasPrefix("/") ? "/" : "./") + parent)
    }
}
