extension FileWriter {
    /// Returns the stamp of a file that the last changes wrote; nil if they didn't write it, or if its
    /// content could change without changing the stamp.
    package func stamp(ofFileAt path: String) -> FileStamp? { stamps[FolderPath(path[...])] }

    /// The smallest number of files that justifies a second thread.
    ///
    /// For this number of files, a short wait also costs less than having the next command read the newest
    /// files again.
    static let manyFiles = 500

    /// Waits for the clock to tick if many files were written within a single tick, so any later change to
    /// them is noticed.
    func letClockGoOn(after batch: Batch) {
        guard batch.isLarge,
            let newest = batch.steps.lazy.compactMap(\.stagedStamp?.modified).max()
        else { return }
        for _ in 0..<12 {
            guard let time = try? fileSystem.time(), !newest.isTickBefore(time) else { return }
            WorkingDirectoryLock.sleep(.milliseconds(2))
        }
    }

    /// Returns the settled stamps of the files that changes wrote.
    ///
    /// - Parameter time: A time after all content was written and before any file got its final path.
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
                // Renaming a file changes its status change time, so compare only the content's stamp.
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
