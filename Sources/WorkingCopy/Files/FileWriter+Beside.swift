import Platform

// Handles folders that turn out to be separate from `.todosync/tmp` only when a file is renamed: subvolumes,
// project quotas and encrypted folders divide what is otherwise one file system.
extension FileWriter {
    /// Retries the changes that failed for this reason, with temporary files in the users' folders.
    func carryOutBeside(_ batch: inout Batch) {
        guard batch.steps.contains(where: \.isBetweenFileSystems), !temporaryFiles.areBeside else { return }
        temporaryFiles.stayBeside()
        // A batch that has begun isn't cancelled.
        batch.isGivenUp = { false }
        // An occupied path may belong to a file that was to be moved away.
        for step in batch.steps where step.isBetweenFileSystems || step.outcome == .occupied {
            removeStaged(step)
            // The temporary file of a new file is in the folder itself, not in the one above.
            if let target = step.target ?? (step.expected == nil ? step.path : nil) {
                _ = try? tree.folder(at: target.folder, making: true)
                // The folder is removed again if it stays empty.
                emptiedFolders.insert(FolderPath(target.folder))
            }
            step.isInNewFolder = false
            step.lifted = nil
            step.outcome = nil
        }
        stage(&batch, areSynchronized: isDurable)
        carryOut(&batch)
    }

    /// Removes a step's staged files, so that the step never has two temporary files.
    private func removeStaged(_ step: Batch.Step) {
        var places = [step.staged].compactMap(\.self)
        step.staged = nil
        if let content = step.newContent {
            let path = (step.target ?? step.path).string
            // It is listed as a file that can be the user's, so its content is checked before it is removed.
            let isOurs = { [fileSystem] (taken: TakenAway) in
                taken.path == path && (try? fileSystem.compare(taken.place, expected: content).get()) != nil
            }
            places += takenAway.filter(isOurs).map(\.place)
            takenAway.removeAll(where: isOurs)
        }
        // Whatever can't be removed is a leftover, which the next operation removes.
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
