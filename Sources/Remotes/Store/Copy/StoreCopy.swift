internal import LosslessYAML
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
    private let targetPlace: String
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
        if case .moved(let place) = state {
            guard place == target.remembered else {
                throw StoreError.moved(
                    path: self.source.store.path, to: StoreLocation(remembered: place).description)
            }
        } else {
            // This shows early whether the user has the permission that is needed at the end.
            try await self.source.change(from: state, to: state)
        }
        self.target = try await CopiedStore(creatingCopyOf: self.source.store, at: target)
        targetPlace = target.remembered
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
        case (.moved(targetPlace), .open): break
        case (.moved(targetPlace), .unfinished):
            // The copy was interrupted after the comparison.
            try await target.change(from: .unfinished, to: .open)
        case (.moved(let place), _):
            throw StoreError.moved(
                path: source.store.path, to: StoreLocation(remembered: place).description)
        case (_, .unfinished):
            try await copy(progress)
            // If the copy is interrupted between these steps, neither store is open, and the next run opens
            // the target.
            try await source.change(from: .moving(to: targetPlace), to: .moved(to: targetPlace))
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
        let moving = StoreState.moving(to: targetPlace)
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
        let place: StoreLocation?
        switch (try await opened.state(), target) {
        case (.moved(let remembered), let target?) where target.remembered != remembered:
            throw StoreError.moved(
                path: opened.store.path, to: StoreLocation(remembered: remembered).description)
        case (_, let target?): place = target
        case (.moved(let remembered), nil), (.moving(let remembered), nil):
            place = StoreLocation(remembered: remembered)
        case (.open, nil): return false
        case (.unfinished, nil): place = nil
        }
        if let place { try await close(place, for: opened, rememberedAs: source.remembered, surroundings) }
        try await opened.change(from: opened.state(), to: .open)
        return true
    }

    private static func close(
        _ place: StoreLocation, for source: CopiedStore, rememberedAs sourcePlace: String,
        _ surroundings: StoreSurroundings
    ) async throws {
        let target: CopiedStore
        do {
            target = try await CopiedStore(opening: place, surroundings)
        } catch StoreError.notFound, StoreError.notAStore, StoreError.database(_, .missing) {
            // The copy was interrupted before it had any content, or the location is empty now.
            return
        }
        guard target.store.identity == source.store.identity else {
            throw StoreCopyProblem.otherStore(target.store.path)
        }
        switch (try await source.state(), try await target.state()) {
        case (_, .unfinished): try await target.store.engine.remove()
        case (.moved, .moved(sourcePlace)): break
        case (.moved, let state) where state == .open || state == .moving(to: sourcePlace):
            let moving = StoreState.moving(to: sourcePlace)
            try await target.change(from: state, to: moving)
            do {
                try await StoreCopier(
                    source: source, target: target, isAskedToEnd: surroundings.isAskedToEnd
                ).compare(nil)
            } catch {
                await target.reopen(from: moving)
                throw error is StoreCopyProblem ? StoreCopyProblem.changed(target.store.path) : error
            }
            try await target.change(from: moving, to: .moved(to: sourcePlace))
        case (.moved, .moved(let place)):
            throw StoreError.moved(path: target.store.path, to: StoreLocation(remembered: place).description)
        case (.open, _), (.moving, _), (.unfinished, _), (.moved, _):
            throw StoreCopyProblem.inUse(target.store.path)
        }
    }
}
