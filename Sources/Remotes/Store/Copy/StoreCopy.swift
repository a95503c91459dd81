internal import LosslessYAML
package import TodoModel
internal import Values

/// A copy of a store to another place, made while clients use the store.
///
/// ```
/// source   open ───────────────▶ moving ────────────▶ moved
///            copy the changes       copy the rest,
///            until few are left     and compare all
/// target   unfinished ─────────────────────────────────────▶ open
/// ```
///
/// The target gets the identity, the versions, the cursors, the operations and the keys of the source, so
/// clients continue with it. The two are never open at the same time. Every step can be repeated, so a copy
/// that was interrupted goes on where it stopped.
package struct StoreCopy: Sendable {
    let source: Store
    let target: Store
    private let targetPlace: String
    private let surroundings: StoreSurroundings

    /// The numbers of rows in a complete copy.
    package struct Summary: Sendable, Hashable {
        package var tableCount = 0
        package var recordCount = 0
        package var keyCount = 0
    }

    /// The number of changes that are few enough to close the source for writes.
    private static let fewChanges = 1000
    /// The number of rounds after which the source is closed in any case.
    private static let mostRounds = 10

    /// Prepares a copy, and creates the target unless it is an interrupted copy of the same store.
    ///
    /// - Throws: `StoreError`, and ``StoreCopyProblem`` if the target can't be used for this copy.
    package init(
        from source: StoreLocation, to target: StoreLocation, surroundings: StoreSurroundings
    ) async throws {
        self.source = try await Store.open(source, inAnyStateWith: surroundings)
        if self.source.engine.stateAtOpening == .unfinished {
            throw StoreError.unfinishedCopy(path: self.source.path)
        }
        self.target = try await Store.createCopy(of: self.source, at: target)
        targetPlace = target.remembered
        self.surroundings = surroundings
        guard self.target.identity == self.source.identity else {
            throw StoreCopyProblem.otherStore(self.target.path)
        }
    }

    /// Copies the store, closes the source, and opens the target.
    ///
    /// If an error occurs after the source was closed for writes, the source is opened again.
    ///
    /// - Throws: `StoreError`, `RemoteError`, ``StoreCopyProblem``; `CancellationError` when asked to end.
    package func run(reporting progress: Progress.Reporter? = nil) async throws -> Summary {
        switch (try await source.state(), try await target.state()) {
        case (.moved(targetPlace), .open): break
        case (.moved(targetPlace), .unfinished):
            // The copy was interrupted after the comparison.
            try await target.set(.open)
        case (.moved(let place), _):
            throw StoreError.moved(
                path: source.path, to: StoreLocation(remembered: place).description)
        case (_, .unfinished):
            try await copy(progress)
            // If this is interrupted in between, neither is open, and the next run opens the target.
            try await source.set(.moved(to: targetPlace))
            try await target.set(.open)
        case (_, .open), (_, .moving), (_, .moved): throw StoreCopyProblem.inUse(target.path)
        }
        return try await target.summary()
    }

    private func copy(_ progress: Progress.Reporter?) async throws {
        // This shows whether the user has the right that is needed at the end.
        try await source.set(source.state())
        let copier = StoreCopier(source: source, target: target, isAskedToEnd: surroundings.isAskedToEnd)
        let counter = progress.map { ProgressCounter(.copying, .todos, total: nil, $0) }
        for _ in 0..<Self.mostRounds {
            if try await copier.copyChanges(counter) <= Self.fewChanges { break }
        }
        try await source.set(.moving(to: targetPlace))
        do {
            _ = try await copier.copyChanges(counter)
            try await copier.copyKeys()
            try await copier.compare(progress.map { ProgressCounter(.checking, .todos, total: nil, $0) })
        } catch {
            await source.openAgain()
            throw error
        }
    }
}

/// The reason why a store can't be copied.
package enum StoreCopyProblem: Error, Sendable, Hashable {
    /// The target has another store. The value is its path.
    case otherStore(String)
    /// The target is already used, with the identity of the source. The value is its path.
    case inUse(String)
    /// The target was changed since the copy. The value is its path.
    case changed(String)
    /// The target differs from the source. The value says in what.
    case differs(String)
}

// MARK: - Giving up

extension StoreCopy {
    /// Opens the source again, and removes or closes its copy.
    ///
    /// A copy that isn't complete is removed. A complete one is closed, unless it was changed.
    ///
    /// - Parameter target: the place of the copy; nil for the one that the source remembers.
    /// - Throws: `StoreError`, `RemoteError`, and ``StoreCopyProblem``.
    package static func giveUp(
        from source: StoreLocation, to target: StoreLocation?, surroundings: StoreSurroundings
    ) async throws {
        let opened = try await Store.open(source, inAnyStateWith: surroundings)
        let place: StoreLocation?
        switch (try await opened.state(), target) {
        case (.moved(let remembered), let target?) where target.remembered != remembered:
            throw StoreError.moved(path: opened.path, to: StoreLocation(remembered: remembered).description)
        case (_, let target?): place = target
        case (.moved(let remembered), nil), (.moving(let remembered), nil):
            place = StoreLocation(remembered: remembered)
        case (.open, nil), (.unfinished, nil): place = nil
        }
        if opened.engine.stateAtOpening == .unfinished { throw StoreError.unfinishedCopy(path: opened.path) }
        if let place { try await close(place, for: opened, rememberedAs: source.remembered, surroundings) }
        try await opened.set(.open)
    }

    private static func close(
        _ place: StoreLocation, for source: Store, rememberedAs sourcePlace: String,
        _ surroundings: StoreSurroundings
    ) async throws {
        let target: Store
        do {
            target = try await Store.open(place, inAnyStateWith: surroundings)
        } catch StoreError.notFound, StoreError.notAStore, StoreError.database(_, .missing) {
            // The copy was interrupted before it had any content, or the place is empty now.
            return
        }
        guard target.identity == source.identity else { throw StoreCopyProblem.otherStore(target.path) }
        switch (try await source.state(), try await target.state()) {
        case (_, .unfinished): try await target.engine.remove()
        case (.moved, .moved(sourcePlace)): break
        case (.moved, .open), (.moved, .moving(sourcePlace)):
            try await target.set(.moving(to: sourcePlace))
            do {
                try await StoreCopier(
                    source: source, target: target, isAskedToEnd: surroundings.isAskedToEnd
                ).compare(nil)
            } catch {
                await target.openAgain()
                throw error is StoreCopyProblem ? StoreCopyProblem.changed(target.path) : error
            }
            try await target.set(.moved(to: sourcePlace))
        case (.moved, .moved(let place)):
            throw StoreError.moved(path: target.path, to: StoreLocation(remembered: place).description)
        case (.open, _), (.moving, _), (.unfinished, _), (.moved, _):
            throw StoreCopyProblem.inUse(target.path)
        }
    }
}

// MARK: - Stores in any state

extension Store {
    /// Opens a store even if it was moved or isn't complete.
    fileprivate static func open(
        _ location: StoreLocation, inAnyStateWith surroundings: StoreSurroundings
    ) async throws -> Store {
        switch location {
        case .folder(let path):
            let engine = try SQLiteEngine.open(
                at: path, surroundings: surroundings, busyTimeout: SQLiteEngine.busyTimeout)
            return Store(engine, surroundings)
        case .database(let address):
            #if PostgreSQL
                return Store(
                    try await PostgresEngine.open(address, surroundings: surroundings), surroundings)
            #else
                throw StoreError.database(path: address.description, .unsupported)
            #endif
        }
    }

    /// Creates an unfinished copy of a store, without its tables, or opens the store at that place.
    fileprivate static func createCopy(of store: Store, at location: StoreLocation) async throws -> Store {
        let identity = [UInt8](hexadecimal: store.identity) ?? []
        switch location {
        case .folder(let path):
            let engine = try SQLiteEngine.create(
                at: path, identity: identity, state: .unfinished, surroundings: store.surroundings)
            return Store(engine, store.surroundings)
        case .database(let address):
            #if PostgreSQL
                let engine = try await PostgresEngine.createCopy(
                    of: identity, in: address, surroundings: store.surroundings)
                return Store(engine, store.surroundings)
            #else
                throw StoreError.database(path: address.description, .unsupported)
            #endif
        }
    }

    func state() async throws -> StoreState { try await read { try $0.state() } }

    fileprivate func set(_ state: StoreState) async throws {
        try await reportingProblems { try await engine.importing { try $0.set(state) } }
    }

    /// Opens the store again after an error, even if the current task was cancelled.
    fileprivate func openAgain() async {
        // If this fails, too, the next run of the same command finds the store closed for writes.
        _ = await Task { try await set(.open) }.result
    }

    fileprivate func summary() async throws -> StoreCopy.Summary {
        try await read { reader in
            var summary = StoreCopy.Summary()
            for name in try reader.tableNames() {
                guard let table = try reader.table(named: name) else { continue }
                summary.tableCount += 1
                summary.recordCount += try reader.recordCount(in: table, within: .none)
            }
            summary.keyCount = try reader.keys().count
            return summary
        }
    }
}
