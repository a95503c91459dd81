// The end of an operation, and the cleanup after interrupted operations.
extension FileWriter {
    /// Checks the moved-away files once more, and removes those that nobody has written to.
    ///
    /// See ``FileExchanger/finish(keeping:)``.
    package func finish(keeping keeps: Bool = false) throws(FileError) -> [LateWrite] {
        let lateWrites = try exchanger.finish(keeping: keeps)
        tree.closeAll()
        removeEmptiedFolders()
        return lateWrites
    }

    /// Returns the files that earlier operations kept or left; see ``LeftoverFiles/find(in:besides:)``.
    package func leftovers(in folders: [String] = []) throws(FileError) -> [Leftover] {
        let own = exchanger.takenAway + exchanger.kept
        return try leftoverFiles.find(in: folders, besides: Set(own.map(\.place.name.description)))
    }

    /// Removes empty folders, and their parent folders if they become empty.
    package func removeEmptyFolders(_ folders: [String]) {
        // A folder that stays is harmless.
        for folder in folders { try? tree.removeEmptyFolders(from: folder[...]) }
    }
}
