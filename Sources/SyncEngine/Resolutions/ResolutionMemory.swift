internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Returns the remembered resolutions; if they can't be read, it warns and returns none.
    func remembered() -> Resolutions {
        do {
            if let resolutions = try directory.resolutions() { return resolutions }
            surroundings.notice(
                "warning: .todosync/resolutions is damaged, and its resolutions are not used; "
                    + "run \"todosync fsck --repair\" to move it aside")
        } catch {
            surroundings.notice("warning: \(error); earlier resolutions are not used")
        }
        return Resolutions()
    }
}

/// The remembered resolutions, while a command holds the working directory's lock.
final class ResolutionMemory {
    private let workspace: Workspace
    private let operation: String
    private(set) lazy var resolutions = workspace.remembered()
    /// Whether ``resolutions`` differ from those in `.todosync`.
    private var isChanged = false

    init(_ workspace: Workspace, operation: String) {
        self.workspace = workspace
        self.operation = operation
    }

    /// Uses resolutions that were already read from the file.
    func take(_ resolutions: Resolutions) { self.resolutions = resolutions }

    /// Remembers how the user resolved a conflict, value by value.
    ///
    /// Only the user's own answers are remembered, never those of a remote.
    ///
    /// - Parameter decided: the fields that the user didn't decide.
    func learn(_ conflict: ConflictInValues?, from answer: [UInt8], besides decided: Set<String> = []) {
        guard let conflict, let fields = (try? Todo(parsing: answer))?.fields else { return }
        for value in conflict.merge().conflicts where !decided.contains(value.path[0]) {
            resolutions.learn(
                RememberedResolution(
                    id: conflict.id, path: value.path, base: value.base, local: value.local,
                    remote: value.remote, result: fields.value(at: value.path), operation: operation,
                    time: workspace.surroundings.now()))
            isChanged = true
        }
    }

    /// Forgets resolutions, and returns their number.
    @discardableResult
    func forget(where isForgotten: (RememberedResolution) -> Bool) -> Int {
        let count = resolutions.forget(where: isForgotten)
        isChanged = isChanged || count > 0
        return count
    }

    /// Forgets resolutions as old as operations that the log may drop, and those of todos that are gone;
    /// returns their number.
    func prune(_ retention: Retention, _ snapshot: Snapshot) -> Int {
        let count = resolutions.prune(retention) { id in
            !snapshot.folder.hasFile(of: id)
                && (snapshot.tracked.todos[id].map { snapshot.folder.isGone(id, $0) && !$0.isNotKept } ?? true)
        }
        isChanged = isChanged || count > 0
        return count
    }

    /// Writes the resolutions if they changed.
    ///
    /// They are a convenience, so a failure to write them is not an error.
    func save(by transaction: Transaction) {
        do {
            try write(by: transaction)
        } catch {
            workspace.surroundings.notice("warning: \(error); the resolutions stay as they were")
        }
    }

    /// Writes the resolutions if they changed, and fails if that isn't possible.
    func write(by transaction: Transaction) throws {
        guard isChanged else { return }
        // This is done only once: the end of a command that fails because of it needn't also warn about it.
        isChanged = false
        try transaction.write(resolutions)
    }
}

extension ConflictInValues {
    /// Returns the changes to a conflict's text that the remembered answers make.
    ///
    /// - Parameter style: see ``differences(by:_:)``.
    func differences(
        by resolutions: Resolutions, _ style: ConflictStyle?
    ) -> [ConflictedText.Difference] {
        differences(by: answers(in: resolutions), style).map(\.difference)
    }

    /// Merges the two sides of a todo with the remembered answers for the conflicting values; nil if there
    /// are none, or if the result isn't valid.
    func recalled(from resolutions: Resolutions) -> (merge: Merge, answers: [RememberedAnswer])? {
        let answers = answers(in: resolutions)
        guard !answers.isEmpty else { return nil }
        let merge = merge(settling: answers)
        if case .clean(let bytes) = merge.outcome, (try? Todo(parsing: bytes))?.id != id { return nil }
        return (merge, answers)
    }
}

extension [ConflictedTodo] {
    /// Reports for each conflict which of its blocks can be resolved as before.
    mutating func tell(
        _ resolutions: @autoclosure () -> Resolutions, _ snapshot: Snapshot
    ) {
        guard contains(where: \.hasMarkers) else { return }
        let resolutions = resolutions()
        let known = Set(resolutions.all.map(\.id))
        for index in indices where known.contains(self[index].id) {
            let id = self[index].id
            guard case .markers(let text)? = snapshot.folder.conflicted[id]?.content,
                let conflict = ConflictInValues(
                    id: id, snapshot.tracked.todos[id], rules: snapshot.rules)
            else { continue }
            let answers = conflict.answers(in: resolutions)
            let settled = conflict.settled(text, by: answers, snapshot.conflictStyle)
            self[index].remembered = settled?.answers.map(\.name) ?? []
        }
    }
}
