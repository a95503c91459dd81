import Platform

// Folders that turn out to be apart from `.todosync/tmp` only when a file is about to be renamed: subvolumes,
// project quotas and encrypted folders divide what is one file system otherwise.
extension FileWriter {
    /// Carries out once more what failed for that reason, with temporary files in the users' folders.
    func carryOutBeside(_ batch: inout Batch) {
        guard batch.steps.contains(where: \.isBetweenFileSystems), !temporaryFiles.areBeside else { return }
        temporaryFiles.stayBeside()
        // What has begun to be carried out is not given up.
        batch.isGivenUp = { false }
        // A path that is occupied may be that of a file that was to go.
        for step in batch.steps where step.isBetweenFileSystems || step.outcome == .occupied {
            removeStaged(step)
            // What is new has its temporary file in the folder itself, not in the one above.
            if let target = step.target ?? (step.expected == nil ? step.path : nil) {
                _ = try? tree.folder(at: target.folder, making: true)
                // If nothing comes into it.
                emptiedFolders.insert(FolderPath(target.folder))
            }
            step.isInNewFolder = false
            step.lifted = nil
            step.outcome = nil
        }
        stage(&batch, areSynchronized: isDurable)
        carryOut(&batch)
    }

    /// Removes what a step has staged, so that the step has one temporary file and no second.
    private func removeStaged(_ step: Batch.Step) {
        var places = [step.staged].compactMap(\.self)
        step.staged = nil
        if let content = step.newContent {
            let path = (step.target ?? step.path).string
            // Listed as what may hold the user's file: it is looked at before it goes.
            let isOurs = { [fileSystem] (taken: TakenAway) in
                taken.path == path && (try? fileSystem.compare(taken.place, expected: content).get()) != nil
            }
            places += takenAway.filter(isOurs).map(\.place)
            takenAway.removeAll(where: isOurs)
        }
        // What can't be removed is a leftover, which the next operation removes.
        for place in places { _ = try? fileSystem.remove(place.name, in: place.folder) }
    }
}

extension Batch.Step {
    fileprivate var isBetweenFileSystems: Bool {
        if case .failed(let error) = outcome { error.code == EXDEV } else { false }
    }
}

extension FileError {
    /// A renaming that no file system does, as the folders are on two.
    static let betweenFileSystems = FileError(.rename, "", code: EXDEV)
}
