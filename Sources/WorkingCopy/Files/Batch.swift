/// Changes on their way to being carried out.
struct Batch {
    var steps: [Step]
    /// Folders with new files, as long as they are not in their places.
    var newFolders: [NewFolder] = []
    var isSynchronized = false
    /// Whether the command is to end, and the batch is so large that it is not carried out then.
    var isGivenUp: @Sendable () -> Bool = { false }

    /// A change, and what has become of it until now.
    final class Step {
        /// Counted over all of the operation's changes.
        let index: Int
        let change: FileChange
        let path: TodoPath
        /// Of a move.
        let target: TodoPath?
        /// What the file at ``path`` must hold; nil if there must be none.
        let expected: [UInt8]?
        /// Nil if no content is to be written.
        let newContent: [UInt8]?
        var permissions: UInt16?
        /// The temporary file with the new content, as long as it is there.
        var staged: Place?
        /// Of the temporary file as it was written.
        var stagedStamp: FileStamp?
        /// Of the file that took another one's place.
        var placed: FileStatus?
        /// Whether its file was written into one of the batch's new folders.
        var isInNewFolder = false
        /// Where a moved file is while its new path is being freed.
        var lifted: Place?
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
                // A file whose content would not change is not touched.
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

    /// Whether it pays to start a thread.
    var isLarge: Bool { newContents >= FileWriter.manyFiles }

    /// Returns the places of the open steps wanted, few enough at a time for their folders to be open.
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
    /// Whether a file is made where none is.
    var isCreation: Bool {
        if case .create = change { true } else { false }
    }

    /// Whether a file's content is replaced by another one.
    var replacesContent: Bool {
        guard case .replace = change else { return false }
        return newContent != nil
    }

    /// Whether that content is staged.
    var replacesStaged: Bool { replacesContent && staged != nil }
}
