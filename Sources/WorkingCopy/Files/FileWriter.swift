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
    let isDurable: Bool
    let isAskedToEnd: @Sendable () -> Bool
    /// The number of changes applied so far.
    private var count = 0
    var takenAway: [TakenAway] = []
    /// Files that were moved away and stay until the next operation checks them again.
    var kept: [TakenAway] = []
    /// The devices without writes since they were last synchronized.
    private var synchronized: Set<UInt64> = []
    /// A time just before the last changes became visible.
    var time: FileTime?
    /// The settled stamps of the files that the last changes wrote, by their paths.
    var stamps: [FolderPath: FileStamp] = [:]
    /// Folders that might be empty now, because files were moved away or couldn't be moved in.
    var emptiedFolders: Set<FolderPath> = []

    /// Creates a writer for one operation in a working directory.
    ///
    /// - Parameters:
    ///   - operation: the operation's name, made of letters, digits and hyphens. It identifies the
    ///     operation's ``leftovers(in:)`` after a crash.
    ///   - isDurable: whether content is synchronized to the disk before it is moved into place, so that a
    ///     power failure leaves the old or the new content.
    ///   - isAskedToEnd: whether the command should end. A large batch is then cancelled if none of its
    ///     changes is visible yet. Removals that haven't begun are cancelled, too.
    package init(
        root: String, operation: String, isDurable: Bool = true,
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
    }

    /// Applies changes independently of each other, and returns their outcomes in the same order.
    ///
    /// Regardless of the given order, files are removed first, then moved, replaced and created, so that one
    /// change can use a path that another change frees.
    ///
    /// - Parameter announce: records the changes in the journal before any of them is visible.
    /// - Throws: an error only if nothing was changed; `CancellationError` if a large batch was cancelled.
    package func apply(
        _ changes: [FileChange], announcing announce: () throws -> Void = {}
    ) throws -> [FileChangeOutcome] {
        tree.closeAll()
        var batch = Batch(changes, firstIndex: count)
        count += changes.count
        batch.isSynchronized = !isDurable
        if batch.isLarge { batch.isGivenUp = isAskedToEnd }
        let areSynchronized = isDurable && batch.newContents <= FileWriter.fewFiles
        let folders = makeNewFolders(for: batch)
        try prepare(&batch, folders, areSynchronized: areSynchronized)
        try fill(folders, of: &batch, areSynchronized: areSynchronized, announcing: announce)
        stage(&batch, areSynchronized: areSynchronized)
        if batch.isGivenUp() {
            discardStaged(&batch)
            throw CancellationError()
        }
        try synchronizeStaged(&batch)
        // Recording the announcement might have synchronized earlier changes, but not these.
        synchronized = []
        letClockGoOn(after: batch)
        // Nobody else knows the staged files, so any other change of their content comes later.
        time = try? fileSystem.time()
        apply(&batch)
        applyBeside(&batch)
        stamps = time.map { stamps(of: batch, at: $0) } ?? [:]
        discardStaged(&batch)
        removeEmptiedFolders()
        return batch.steps.map { $0.outcome ?? .done }
    }

    /// Synchronizes all changes to the disk, including users' edits on the root's file system.
    ///
    /// - Parameter folders: folders whose file systems are synchronized, too.
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

    // MARK: New content

    /// Stages the content of new files before the changes are announced.
    ///
    /// So if an announced change has no staged file, it was applied, and the file at its path is an edit of
    /// the new content rather than an older file.
    private func prepare(
        _ batch: inout Batch, _ folders: [NewFolder], areSynchronized: Bool
    ) throws(FileError) {
        stageOneByOne(batch, areSynchronized: areSynchronized, where: \.isCreation)
        let areNamed = areSynchronized || !batch.steps.contains { $0.staged != nil }
        if !isDurable || folders.isEmpty && areNamed { return }
        do throws(FileError) {
            for folder in temporaryFiles.folders { try fileSystem.synchronize(folder, .file) }
        } catch {
            for folder in folders { removeTree(folder.place) }
            discardStaged(&batch)
            throw error.at(TemporaryFiles.folderPath)
        }
    }

    func stage(_ batch: inout Batch, areSynchronized: Bool) {
        stageReplacements(batch, areSynchronized: areSynchronized)
        stageOneByOne(batch, areSynchronized: areSynchronized) { _ in true }
        if areSynchronized { batch.isSynchronized = true }
    }

    private func stageOneByOne(
        _ batch: Batch, areSynchronized: Bool, where isWanted: (Batch.Step) -> Bool
    ) {
        for index in batch.steps.indices
        where batch.isOpen(index) && batch.steps[index].staged == nil && !batch.steps[index].isInNewFolder
            && isWanted(batch.steps[index])
        {
            if batch.isGivenUp() { return }
            do throws(FileError) {
                if let outcome = try stage(batch.steps[index], isSynchronized: areSynchronized) {
                    batch.close(index, with: outcome)
                }
            } catch {
                batch.close(index, with: .failed(error.inChanging(batch.steps[index].path.string)))
            }
        }
    }

    /// Writes a change's new content to a temporary file, unless the file to change already isn't as
    /// expected.
    private func stage(_ step: Batch.Step, isSynchronized: Bool) throws(FileError) -> FileChangeOutcome? {
        var model: OpenedFile?
        if let expected = step.expected {
            guard let folder = try tree.folder(at: step.path.folder) else { return .changedMeanwhile(nil) }
            switch try fileSystem.check(Place(folder: folder, name: step.path.name), expected) {
            case .failure(let mismatch): return mismatch.outcome
            case .success(let opened): model = opened
            }
        }
        guard let content = step.newContent else { return nil }
        try stage(content, for: step, model: model, isSynchronized: isSynchronized)
        return nil
    }

    /// Writes content to a temporary file.
    ///
    /// - Parameter model: the file to copy the attributes from; nil for a new file.
    func stage(
        _ content: [UInt8], for step: Batch.Step, model: OpenedFile?, isSynchronized: Bool
    ) throws(FileError) {
        let (folder, path) = try tree.nearestFolder(to: (step.target ?? step.path).folder)
        let place = try temporaryFiles.place(
            for: folder, at: path, index: step.index, step.isCreation ? .made : .new,
            step.expected.map(ContentMark.init(of:)) ?? ContentMark(ofPath: step.path.string))
        let file = try fileSystem.createTemporary(
            place, isPrivate: model != nil || step.permissions != nil)
        step.staged = place
        try fileSystem.write(content, to: file)
        if let model {
            try fileSystem.setAttributes(of: file, as: model)
        } else {
            try setGroup(of: file, as: folder, at: path)
            if let permissions = step.permissions { try fileSystem.setPermissions(permissions, of: file) }
        }
        step.stagedStamp = try? fileSystem.status(of: file).stamp
        if isSynchronized { try fileSystem.synchronize(file, .file) }
    }

    /// Gives a new file the group that it would have had if it had been created in its folder.
    private func setGroup(of file: OpenFile, as folder: OpenFile, at path: Substring) throws(FileError) {
        if try temporaryFiles.givesSame(as: folder, at: path) { return }
        let (folder, status) = (try fileSystem.status(of: folder), try fileSystem.status(of: file))
        guard folder.givesItsGroup, folder.group != status.group else { return }
        // Only a member of the group can do this. Ignore a failure: the content matters more.
        try? fileSystem.setOwner(user: status.user, group: folder.group, of: file)
    }

    private func synchronizeStaged(_ batch: inout Batch) throws(FileError) {
        if batch.isSynchronized { return }
        if batch.newFolders.isEmpty, !batch.steps.contains(where: { $0.staged != nil }) { return }
        do throws(FileError) {
            for folder in temporaryFiles.folders { try fileSystem.synchronize(folder, .fileSystem) }
        } catch {
            discardStaged(&batch)
            throw error.at(TemporaryFiles.folderPath)
        }
    }

    func discardStaged(_ batch: inout Batch) {
        for folder in batch.newFolders { removeTree(folder.place) }
        batch.newFolders = []
        for index in batch.steps.indices {
            guard let staged = batch.steps[index].staged else { continue }
            // The next operation removes any file that can't be removed now.
            _ = try? fileSystem.remove(staged.name, in: staged.folder)
            batch.steps[index].staged = nil
        }
    }

    /// The largest number of files to synchronize one by one.
    ///
    /// For more files, synchronizing the whole file system is faster.
    private static let fewFiles = 4
}
