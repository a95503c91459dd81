extension FileWriter {
    /// Returns the stamp of a file that the last changes wrote; nil if it was not written, or if its content
    /// may be changed without its stamp changing.
    package func stamp(ofFileAt path: String) -> FileStamp? { stamps[FolderPath(path[...])] }

    /// From how many files on it pays to start a thread for them, and a moment's wait is shorter than to read
    /// again, in the next command, those that were written last.
    static let manyFiles = 500

    /// Waits, where many files were written and the disk took no time for it, until none of them can be
    /// changed unnoticed.
    func letClockGoOn(after batch: Batch) {
        guard batch.isLarge,
            let newest = batch.steps.lazy.compactMap(\.stagedStamp?.modified).max()
        else { return }
        for _ in 0..<12 {
            guard let time = try? fileSystem.time(), !newest.isTickBefore(time) else { return }
            WorkingDirectoryLock.sleep(.milliseconds(2))
        }
    }

    /// Returns the stamps of the files that changes wrote.
    ///
    /// - Parameter time: when all content was written, and no file had its name yet.
    func stamps(of batch: Batch, at time: FileTime) -> [FolderPath: FileStamp] {
        var stamps: [FolderPath: FileStamp] = [:]
        stamps.reserveCapacity(batch.steps.count)
        for step in batch.steps where step.outcome == .done {
            let path = step.target ?? step.path
            guard let staged = step.stagedStamp, staged.isWritten(before: time) else { continue }
            if step.isInNewFolder {
                stamps[FolderPath(path.string[...])] = staged
                continue
            }
            guard let status = step.placed ?? status(of: path), status.kind == .file,
                // By renaming, the time of the change of the status is another one.
                status.stamp.hasContent(of: staged)
            else { continue }
            stamps[FolderPath(path.string[...])] = status.stamp
        }
        return stamps
    }

    private func status(of path: TodoPath) -> FileStatus? {
        guard let folder = try? tree.folder(at: path.folder) else { return nil }
        return try? fileSystem.status(of: path.name, in: folder)
    }
}
