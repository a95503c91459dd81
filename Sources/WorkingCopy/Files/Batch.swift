/// The changes that one call of ``FileWriter/apply(_:announcing:)`` applies.
struct Batch {
    var steps: [Step]
    /// Folders of new files that haven't been moved into place yet.
    var newFolders: [NewFolder] = []
    var isSynchronized = false
    /// Returns whether to cancel the batch: the command was asked to end, and the batch is large.
    var isGivenUp: @Sendable () -> Bool = { false }
    /// Returns whether to cancel the removals that haven't begun.
    var stopsRemoving: @Sendable () -> Bool = { false }

    /// A change and its progress.
    final class Step {
        /// The change's number among all changes of the operation.
        let index: Int
        let change: FileChange
        let path: TodoPath
        /// The new path of a move.
        let target: TodoPath?
        /// The expected content of the file at ``path``; nil if the file must not exist.
        let expected: [UInt8]?
        /// The content to write; nil if the content stays.
        let newContent: [UInt8]?
        var permissions: UInt16?
        /// The temporary file with the new content, until it is moved into place.
        var staged: FileLocation?
        /// The stamp of the temporary file after it was written.
        var stagedStamp: FileStamp?
        /// The status of the file that was moved into place.
        var newStatus: FileStatus?
        /// Whether the file is in one of the batch's new folders.
        var isInNewFolder = false
        /// The temporary path of a moved file while it waits for its new path to be freed.
        var lifted: FileLocation?
        var outcome: FileChangeOutcome?

        init(_ change: FileChange, index: Int) {
            self.index = index
            self.change = change
            var problem: PathProblem?
            func checked(_ path: String) -> TodoPath {
                do throws(PathProblem) {
                    return try TodoPath(path)
                } catch {
                    problem = problem ?? error
                    return TodoPath.refused
                }
            }
            switch change {
            case .create(let path, let bytes, let permissions):
                self.path = checked(path)
                target = nil
                expected = nil
                newContent = bytes
                self.permissions = permissions
            case .replace(let path, let expecting, let bytes):
                self.path = checked(path)
                target = nil
                expected = expecting
                // A file whose content doesn't change isn't touched.
                newContent = expecting == bytes ? nil : bytes
            case .remove(let path, let expecting):
                self.path = checked(path)
                target = nil
                expected = expecting
                newContent = nil
            case .move(let from, let to, let expecting, let bytes):
                path = checked(from)
                target = checked(to)
                expected = expecting
                newContent = expecting == bytes ? nil : bytes
            }
            if let problem { outcome = .refused(problem) }
        }
    }

    init(_ changes: [FileChange], firstIndex: Int) {
        steps = []
        steps.reserveCapacity(changes.count)
        for (offset, change) in changes.enumerated() {
            steps.append(Step(change, index: firstIndex + offset))
        }
    }

    func isOpen(_ index: Int) -> Bool { steps[index].outcome == nil }

    func close(_ index: Int, with outcome: FileChangeOutcome) {
        steps[index].outcome = outcome
    }

    /// Whether the batch has enough files to justify a second thread.
    var isLarge: Bool { newContents >= FileWriter.manyFiles }

    /// Returns the indices of open steps in groups, each with few enough folders to keep all of them open.
    func portions(where isWanted: (Step) -> Bool) -> [[Int]] {
        var portions: [[Int]] = []
        var folders = 0
        var last: FolderPath?
        for index in steps.indices where isOpen(index) && isWanted(steps[index]) {
            let folder = FolderPath(steps[index].path.folder)
            if folder != last { folders += 1 }
            last = folder
            if portions.isEmpty || folders > Self.foldersAtOnce {
                portions.append([])
                folders = 1
            }
            portions[portions.count - 1].append(index)
        }
        return portions
    }

    private static let foldersAtOnce = 32

    var newContents: Int { steps.count { $0.newContent != nil } }
}

extension Batch.Step {
    /// Whether the change creates a file.
    var isCreation: Bool {
        if case .create = change { true } else { false }
    }

    /// Whether the change replaces a file's content.
    var replacesContent: Bool {
        guard case .replace = change else { return false }
        return newContent != nil
    }

    /// Whether the change replaces a file's content with a temporary file's.
    var replacesStaged: Bool { replacesContent && staged != nil }
}
