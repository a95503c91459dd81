import Platform

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
        var places = [step.staged].compactMap(\.self)
        step.staged = nil
        if let content = step.newContent {
            let path = (step.target ?? step.path).string
            // The path might contain the user's file now, so compare the content before removing the file.
            let isOurs = { [fileSystem] (taken: TakenAway) in
                taken.path == path && (try? fileSystem.compare(taken.place, expected: content).get()) != nil
            }
            places += exchanger.takenAway.filter(isOurs).map(\.place)
            exchanger.takenAway.removeAll(where: isOurs)
        }
        // The next operation removes any file that can't be removed now.
        for place in places { _ = try? fileSystem.remove(place.name, in: place.folder) }
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
