import Platform

/// Changes users' files without ever leaving a file half-written or losing an edit.
///
/// New content is first written to a temporary file, which is then exchanged with the existing file. The old
/// file is compared with the expected content, and exchanged back if an editor saved in between. An editor
/// might still write to a file that was moved away, so ``finish(keeping:)`` checks such files at the
/// operation's end, and the next operation checks them again.
///
/// The caller holds the lock on the working directory, and records each change in the journal before it is
/// applied.
package final class FileWriter {
    let fileSystem: any FileSystem
    /// The path of the working directory.
    let root: String
    let tree: FolderTree
    let temporaryFiles: TemporaryFiles
    let newFolders: NewFolders
    let staging: Staging
    let exchanger: FileExchanger
    let leftoverFiles: LeftoverFiles
    /// Creates files of a working directory that the command made; nil if the directory existed before.
    let newRoot: NewRoot?
    let isDurable: Bool
    let isAskedToEnd: @Sendable () -> Bool
    /// The number of changes passed to `apply` so far, which is the number of the next one.
    private var count = 0
    /// The devices without writes since they were last synchronized.
    private var synchronized: Set<UInt64> = []
    /// The reliable stamps of the files that the last changes wrote, by their paths.
    var stamps: [FolderPath: FileStamp] = [:]
    /// Folders that might be empty now, because files were moved away or couldn't be moved in.
    var emptiedFolders: Set<FolderPath> = []

    /// Creates a writer for one operation in a working directory.
    ///
    /// - Parameters:
    ///   - operation: The operation's name, made of letters, digits and hyphens. It identifies the
    ///     operation's ``leftovers(in:)`` after a crash.
    ///   - isDurable: Whether content is synchronized to disk before it is moved into place, so that a
    ///     power failure leaves the old or the new content.
    ///   - isRootNew: Whether the command made the working directory, so nobody else uses it yet.
    ///   - isAskedToEnd: Whether the command should end. Changes are then cancelled as far as
    ///     ``ChangeCancellation`` specifies.
    package init(
        root: String, operation: String, isDurable: Bool = true, isRootNew: Bool = false,
        fileSystem: any FileSystem = POSIXFileSystem(),
        isAskedToEnd: @escaping @Sendable () -> Bool = { false }
    ) throws(FileError) {
        guard let rootFolder = try fileSystem.openFolder(at: root) else {
            throw FileError(.open, root, code: ENOENT)
        }
        guard let stateFolder = try fileSystem.openFolder(stateFolderName, in: rootFolder) else {
            throw FileError(.open, stateFolderName.description, code: ENOENT)
        }
        self.fileSystem = fileSystem
        self.root = root
        self.isDurable = isDurable
        self.isAskedToEnd = isAskedToEnd
        tree = FolderTree(root: rootFolder, fileSystem: fileSystem)
        temporaryFiles = TemporaryFiles(
            operation: operation, stateFolder: stateFolder, fileSystem: fileSystem)
        staging = Staging(
            fileSystem: fileSystem, tree: tree, temporaryFiles: temporaryFiles, isDurable: isDurable)
        newFolders = NewFolders(fileSystem: fileSystem, tree: tree, temporaryFiles: temporaryFiles)
        newRoot =
            isRootNew
            ? NewRoot(tree, temporaryFiles, isDurable: isDurable, fileSystem) : nil
        exchanger = FileExchanger(temporaryFiles, fileSystem)
        leftoverFiles = LeftoverFiles(root: root, tree: tree, fileSystem: fileSystem)
    }

    /// Applies changes independently of each other, and returns their outcomes in the same order.
    ///
    /// Regardless of the given order, files are removed first, then moved, replaced and created, so that one
    /// change can use a path that another change frees.
    ///
    /// - Parameters:
    ///   - cancellation: How far the changes are cancelled if the command is asked to end.
    ///   - announce: Records the changes in the journal before any of them is visible.
    /// - Throws: An error only if nothing was changed; `CancellationError` if a large batch was cancelled.
    package func apply(
        _ changes: [FileChange], cancelling cancellation: ChangeCancellation = .together,
        announcing announce: () throws -> Void = {}
    ) throws -> [FileChangeOutcome] {
        tree.closeAll()
        var batch = Batch(changes, firstIndex: count)
        count += changes.count
        batch.isSynchronized = !isDurable
        if batch.isLarge, cancellation != .never { batch.isGivenUp = isAskedToEnd }
        if cancellation == .eachRemoval { batch.stopsRemoving = isAskedToEnd }
        let areSynchronized = isDurable && batch.newContents <= FileWriter.fewFiles
        let rootFiles = newRoot?.choose(in: batch) ?? []
        let folders = newFolders.make(for: batch)
        try staging.prepare(&batch, folders, areSynchronized: areSynchronized)
        do {
            try newFolders.fill(folders, of: &batch, areSynchronized: areSynchronized, announcing: announce)
        } catch {
            staging.discard(&batch)
            throw error
        }
        newRoot?.create(rootFiles, in: &batch)
        staging.stage(&batch, areSynchronized: areSynchronized)
        if batch.isGivenUp() {
            staging.discard(&batch)
            throw CancellationError()
        }
        try staging.synchronize(&batch)
        // Recording the announcement might have synchronized earlier changes, but not these.
        synchronized = []
        letClockGoOn(after: batch)
        // No other program uses the staged files yet, so any other change to their content comes later.
        let time = try? fileSystem.time()
        exchanger.time = time
        apply(&batch)
        applyBeside(&batch)
        stamps = time.map { stamps(of: batch, at: $0) } ?? [:]
        staging.discard(&batch)
        removeEmptiedFolders()
        return batch.steps.map { $0.outcome ?? .done }
    }

    /// Synchronizes all changes to disk, including users' edits on the root's file system.
    ///
    /// - Parameter folders: Folders whose file systems are synchronized, too.
    package func sync(_ folders: some Sequence<String> = [String]()) throws(FileError) {
        var open = [tree.root] + temporaryFiles.folders
        for path in folders { if let folder = try tree.folder(at: path[...]) { open.append(folder) } }
        do throws(FileError) {
            for folder in open {
                let device = try fileSystem.status(of: folder).stamp.device
                if synchronized.contains(device) { continue }
                try fileSystem.synchronize(folder, .fileSystem)
                synchronized.insert(device)
            }
        } catch {
            throw error.at(root)
        }
    }

    /// Marks all file systems as unsynchronized, because files might have been edited since the last
    /// ``sync(_:)``.
    package func expectEdits() { synchronized = [] }

    /// The largest number of files to synchronize one by one.
    ///
    /// For more files, synchronizing the whole file system is faster.
    private static let fewFiles = 4
}

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
        return try leftoverFiles.find(in: folders, besides: Set(own.map(\.location.name.description)))
    }

    /// Removes empty folders, and their parent folders if they become empty.
    package func removeEmptyFolders(_ folders: [String]) {
        // A folder that stays is harmless.
        for folder in folders { try? tree.removeEmptyFolders(from: folder[...]) }
    }
}

extension FileWriter {
    /// Returns the errors that changes would fail with, as far as the folders reveal them without a change.
    package func obstacles(to changes: [FileChange]) -> [FileError?] {
        tree.closeAll()
        var checked: [FolderPath: FileError?] = [:]
        return changes.map { change in
            for folder in change.folders + [Self.temporaryFolder] {
                let obstacle = checked[folder] ?? obstacle(in: folder)
                checked[folder] = .some(obstacle)
                if let obstacle { return obstacle }
            }
            return nil
        }
    }

    /// Returns the error that made a change fail, if a folder is the cause; nil otherwise.
    func obstacle(to change: FileChange) -> FileError? {
        (change.folders + [Self.temporaryFolder]).lazy.compactMap { self.obstacle(in: $0) }.first
    }

    private static let temporaryFolder = FolderPath(TemporaryFiles.folderPath[...])

    private func obstacle(in path: FolderPath) -> FileError? {
        // The change itself reports any other failure.
        guard let (folder, nearest) = try? tree.nearestFolder(to: path.string) else { return nil }
        do throws(FileError) {
            try fileSystem.checkWritable(folder)
            return nil
        } catch {
            return error.isNotPermitted ? error.at(nearest.isEmpty ? root : String(nearest)) : nil
        }
    }
}

extension FileChange {
    /// The folders that names are added to or removed from.
    fileprivate var folders: [FolderPath] {
        let paths =
            switch self {
            case .create(let path, _, _), .replace(let path, _, _), .remove(let path, _): [path]
            case .move(let from, let to, _, _): [from, to]
            }
        return paths.map { FolderPath(FolderTree.parent(of: $0[...])) }
    }
}

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
    private func letClockGoOn(after batch: Batch) {
        guard batch.isLarge,
            let newest = batch.steps.lazy.compactMap(\.stagedStamp?.modified).max()
        else { return }
        for _ in 0..<12 {
            guard let time = try? fileSystem.time(), !newest.isTickBefore(time) else { return }
            WorkingDirectoryLock.sleep(.milliseconds(2))
        }
    }

    /// Returns the reliable stamps of the files that changes wrote.
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
            guard let status = step.newStatus ?? status(of: path), status.kind == .file,
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
