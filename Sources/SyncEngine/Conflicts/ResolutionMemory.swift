internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Returns the remembered resolutions; if they can't be read, warns the user and returns none.
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

/// The remembered resolutions while a command holds the lock.
final class ResolutionMemory {
    private let workspace: Workspace
    private let operation: String
    private(set) lazy var resolutions = workspace.remembered()
    /// Whether ``resolutions`` differ from the file's.
    private var isChanged = false

    init(_ workspace: Workspace, operation: String) {
        self.workspace = workspace
        self.operation = operation
    }

    /// Uses resolutions that were already read.
    func take(_ resolutions: Resolutions) { self.resolutions = resolutions }

    /// Remembers the user's resolution of a conflict, value by value.
    ///
    /// Only the user's own answers are remembered, not those of a remote.
    ///
    /// - Parameter decided: The fields that somebody else decided.
    func learn(_ conflict: Conflict?, from answer: [UInt8], besides decided: Set<String> = []) {
        guard let conflict, !conflict.hasOlderBase, let merge = conflict.merge(),
            let fields = (try? Todo(parsing: answer))?.fields
        else { return }
        for value in merge.conflicts where !decided.contains(value.path[0]) {
            resolutions.learn(
                RememberedResolution(
                    id: conflict.id, path: value.path, base: value.base, local: value.local,
                    remote: value.remote, result: fields.value(at: value.path), operation: operation,
                    time: workspace.surroundings.now()))
            isChanged = true
        }
    }

    /// Forgets matching resolutions, and returns how many there were.
    @discardableResult
    func forget(where isForgotten: (RememberedResolution) -> Bool) -> Int {
        let count = resolutions.forget(where: isForgotten)
        isChanged = isChanged || count > 0
        return count
    }

    /// Forgets resolutions that are as old as the operations that the log can drop, and those of deleted
    /// todos; returns how many there were.
    func prune(_ retention: Retention, _ snapshot: Snapshot) -> Int {
        let count = resolutions.prune(retention) { id in
            switch snapshot.condition(of: id).ofFile {
            case .pending(let operation): operation.kind == .delete
            case .held: !snapshot.folder.hasFile(of: id)
            case .absent: true
            case .unchanged, .conflicted, .notKept, .invalid, .unseen: false
            }
        }
        isChanged = isChanged || count > 0
        return count
    }

    /// Writes the resolutions if they changed, and warns the user if that fails.
    ///
    /// They are a convenience, so a failure isn't an error.
    func save(by transaction: Transaction) {
        do {
            try write(by: transaction)
        } catch {
            workspace.surroundings.notice(
                "warning: \(error); the changes to your saved resolutions were not written")
        }
    }

    /// Writes the resolutions if they changed.
    func write(by transaction: Transaction) throws {
        guard isChanged else { return }
        // Try only once, so that a command that fails here doesn't also warn about it at its end.
        isChanged = false
        try transaction.write(resolutions)
    }
}

extension [ConflictedTodo] {
    /// Adds to each conflict the values that remembered resolutions can resolve.
    mutating func addRemembered(
        _ resolutions: @autoclosure () -> Resolutions, _ snapshot: Snapshot
    ) {
        guard contains(where: \.hasMarkers) else { return }
        let resolutions = resolutions()
        let ids = Set(resolutions.all.map(\.id))
        for index in indices where ids.contains(self[index].id) {
            let id = self[index].id
            guard case .markers(let text)? = snapshot.folder.conflicted[id]?.content,
                snapshot.tracked.todos[id]?.conflict != nil,
                let conflict = Conflict(openOf: id, in: snapshot)
            else { continue }
            let answers = conflict.answers(in: resolutions)
            let resolved = conflict.resolved(text.restoringBlocks(of: conflict.text), by: answers)
            self[index].remembered = resolved?.answers.map(\.name) ?? []
        }
    }
}
