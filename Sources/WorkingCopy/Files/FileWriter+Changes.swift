import Platform

// Applies each kind of change with its staged content, in an order that frees paths before they are used.
extension FileWriter {
    func apply(_ batch: inout Batch) {
        for index in batch.steps.indices where batch.isOpen(index) {
            guard case .remove = batch.steps[index].change else { continue }
            if batch.stopsRemoving() { batch.close(index, with: .cancelled) } else { apply(index, of: batch) }
        }
        removeEmptiedFolders(keeping: batch.targetFolders)
        applyMoves(batch)
        removeEmptiedFolders(keeping: batch.targetFolders)
        newFolders.apply(&batch) { apply($0, of: $1) }
        applyReplacements(batch)
        for index in batch.steps.indices where batch.isOpen(index) { apply(index, of: batch) }
    }

    func apply(_ index: Int, of batch: Batch) {
        apply(index, of: batch) { (step) throws(FileError) in
            switch step.change {
            case .create: try create(step)
            case .replace: try replace(step)
            case .remove: try remove(step)
            case .move: try move(step)
            }
        }
    }

    private func apply(
        _ index: Int, of batch: Batch,
        _ body: (Batch.Step) throws(FileError) -> FileChangeOutcome?
    ) {
        let step = batch.steps[index]
        do throws(FileError) {
            step.outcome = try body(step)
        } catch {
            step.outcome = .failed(
                obstacle(to: step.change) ?? error.inChanging((step.target ?? step.path).string))
        }
    }

    /// Replaces files with staged ones, on two threads if there are many.
    private func applyReplacements(_ batch: Batch) {
        let isLarge = batch.isLarge
        for portion in batch.portions(where: \.replacesStaged) {
            var replacements: [(step: Int, taken: Int, replacement: Replacement)] = []
            for index in portion {
                apply(index, of: batch) { (step) throws(FileError) in
                    guard let folder = try tree.folder(at: step.path.folder) else {
                        return .changedMeanwhile(nil)
                    }
                    let location = FileLocation(folder: folder, name: step.path.name)
                    if let replacement = exchanger.beginReplacing(location, step.path.string, step) {
                        replacements.append((index, exchanger.takenAway.count - 1, replacement))
                    }
                    return nil
                }
            }
            let ends = mapConcurrently(where: isLarge, replacements) {
                [fileSystem, time = exchanger.time] listed in
                Result { () throws(FileError) in
                    try fileSystem.apply(listed.replacement, reliableAt: time)
                }
            }
            for ((index, taken, replacement), end) in zip(replacements, ends) {
                apply(index, of: batch) { (step) throws(FileError) in
                    try exchanger.endReplacing(end.get(), replacement, at: taken, step)
                }
            }
        }
    }

    private func create(_ step: Batch.Step) throws(FileError) -> FileChangeOutcome {
        guard let staged = step.staged else { return .occupied }
        guard let folder = try tree.folder(at: step.path.folder, making: true) else { return .occupied }
        let outcome: RenameOutcome
        do throws(FileError) {
            outcome = try fileSystem.moveWithoutReplacing(
                staged, to: FileLocation(folder: folder, name: step.path.name))
        } catch {
            emptiedFolders.insert(FolderPath(step.path.folder))
            throw error
        }
        if outcome == .done {
            step.staged = nil
            return .done
        }
        emptiedFolders.insert(FolderPath(step.path.folder))
        if outcome == .otherFileSystem { throw .betweenFileSystems }
        return .occupied
    }

    private func replace(_ step: Batch.Step) throws(FileError) -> FileChangeOutcome {
        guard let folder = try tree.folder(at: step.path.folder) else { return .changedMeanwhile(nil) }
        return try exchanger.replace(
            FileLocation(folder: folder, name: step.path.name), step.path.string, step)
    }

    private func remove(_ step: Batch.Step) throws(FileError) -> FileChangeOutcome {
        guard let expected = step.expected, let folder = try tree.folder(at: step.path.folder) else {
            return .changedMeanwhile(nil)
        }
        let old = try temporaryFiles.location(
            for: folder, at: step.path.folder, index: step.index, .old, ContentMark(of: expected))
        let location = FileLocation(folder: folder, name: step.path.name)
        if let mismatch = try exchanger.takeAway(location, step.path.string, expected, to: old) {
            return mismatch.outcome
        }
        emptiedFolders.insert(FolderPath(step.path.folder))
        return .done
    }

    // MARK: Emptied folders

    /// Removes folders that were emptied.
    ///
    /// - Parameter needed: The folders that files are about to be put in.
    func removeEmptiedFolders(keeping needed: @autoclosure () -> Set<FolderPath> = []) {
        guard !emptiedFolders.isEmpty else { return }
        let needed = needed()
        for folder in emptiedFolders {
            // A folder that stays is harmless, and is tried again at the operation's end.
            try? tree.removeEmptyFolders(from: folder.string, keeping: needed)
        }
    }
}

extension Batch {
    /// The folders that new or moved files go to, and their parent folders.
    var targetFolders: Set<FolderPath> {
        var folders: Set<FolderPath> = []
        for step in steps where step.outcome == nil {
            var folder = (step.target ?? step.path).folder
            if case .remove = step.change { continue }
            while !folder.isEmpty, folders.insert(FolderPath(folder)).inserted {
                folder = FolderTree.parent(of: folder)
            }
        }
        return folders
    }
}

// Handles folders that seem to be on the same file system as `.todosync/tmp` until a file is renamed: btrfs
// subvolumes, project quotas and encrypted folders divide one file system.
extension FileWriter {
    /// Retries the changes that failed with `EXDEV`, with temporary files in the users' folders.
    func applyBeside(_ batch: inout Batch) {
        guard batch.steps.contains(where: \.isBetweenFileSystems), !temporaryFiles.areBeside else { return }
        temporaryFiles.stayBeside()
        // A batch that has begun can no longer be cancelled.
        batch.isGivenUp = { false }
        // An occupied path might belong to a file that a failed step was going to move away.
        for step in batch.steps where step.isBetweenFileSystems || step.outcome == .occupied {
            removeStaged(step)
            // A new file's temporary file must be in the file's own folder, so create that folder first.
            if let target = step.target ?? (step.expected == nil ? step.path : nil) {
                _ = try? tree.folder(at: target.folder, making: true)
                // The folder is removed again if it stays empty.
                emptiedFolders.insert(FolderPath(target.folder))
            }
            step.isInNewFolder = false
            step.lifted = nil
            step.outcome = nil
        }
        staging.stage(&batch, areSynchronized: isDurable)
        apply(&batch)
    }

    /// Removes a step's temporary file, so that the step never has two of them.
    private func removeStaged(_ step: Batch.Step) {
        var locations = [step.staged].compactMap(\.self)
        step.staged = nil
        if let content = step.newContent {
            let path = (step.target ?? step.path).string
            // The path might contain the user's file now, so compare the content before removing the file.
            let isOwn = { [fileSystem] (taken: TakenAway) in
                taken.path == path
                    && (try? fileSystem.compare(taken.location, expected: content).get()) != nil
            }
            locations += exchanger.takenAway.filter(isOwn).map(\.location)
            exchanger.takenAway.removeAll(where: isOwn)
        }
        // The next operation removes any file that can't be removed now.
        for location in locations { _ = try? fileSystem.remove(location.name, in: location.folder) }
    }
}

extension Batch.Step {
    fileprivate var isBetweenFileSystems: Bool {
        if case .failed(let error) = outcome { error.code == EXDEV } else { false }
    }
}

extension FileError {
    /// The error of a rename between two file systems.
    static let betweenFileSystems = FileError(.rename, "", code: EXDEV)
}
