internal import Platform
internal import TodoModel

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
