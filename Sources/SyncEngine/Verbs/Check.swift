internal import LosslessYAML
internal import TodoModel
package import WorkingCopy

/// The result of checking `.todosync`.
package struct CheckReport: Sendable {
    package var problems: [StateProblem] = []
    /// The problems that were found and repaired.
    package var repaired: [StateProblem] = []

    package var isHealthy: Bool { problems.isEmpty && repaired.isEmpty }
}

extension Workspace {
    /// Checks the state in `.todosync`.
    ///
    /// - Parameter repairs: Whether to repair problems. Unreadable records are removed, with a copy kept in
    ///   `.todosync`; interrupted commands are recovered; and todos with an invalid recorded text or path, or
    ///   with a difference that no pending operation explains, are compared with the remote by id, as if they
    ///   had never been synced.
    package func check(repairs: Bool) throws -> CheckReport {
        let found = try findings()
        guard repairs, !found.isEmpty, !found.contains(where: \.isConfiguration) else {
            return CheckReport(problems: found)
        }
        try translatingErrors { try stateCheck.moveDamagedFiles(found) }
        try LockedWorkspace.perform(self) { locked in
            let doubtful = Set(found.compactMap(\.todo)).filter { locked.tracked.todos[$0] != nil }.sorted()
            guard !doubtful.isEmpty else { return }
            try locked.transaction.record(doubtful.map { .dropped(id: $0) } + [.distrusted([])])
        }
        let left = try findings()
        return CheckReport(problems: left, repaired: found.filter { !left.contains($0) })
    }

    private var stateCheck: StateCheck { StateCheck(directory, timeout: surroundings.lockTimeout) }

    private func findings() throws -> [StateProblem] {
        let problems = try translatingErrors { try stateCheck.problems() }
        // The state can be compared with the files only if it can be read.
        guard problems.allSatisfy(\.isBesidesJournal) else { return problems }
        return problems + unexplainedTodos(in: try Snapshot(of: self, usingCache: false))
    }
}

/// Returns the todos whose files differ from their base versions without a pending operation that explains
/// the difference.
private func unexplainedTodos(in snapshot: Snapshot) -> [StateProblem] {
    let ids = Set(snapshot.folder.todos.loaded.keys).union(snapshot.tracked.todos.loaded.keys)
    return ids.sorted().compactMap { id in
        // No operation is pending for the others, and their files don't count as deleted.
        let pending: PendingOperation?
        switch snapshot.condition(of: id) {
        case .pending(let operation): pending = operation
        case .unchanged, .absent: pending = nil
        case .conflicted, .held, .notKept, .invalid, .unseen: return nil
        }
        let base = snapshot.tracked.todos[id]?.base?.todo.flatMap { try? Todo(parsing: $0.bytes) }?.fields
        let expected: Mapping?
        switch pending?.change(from: nil) {
        case nil: expected = base
        case .insert(let fields, _), .recreate(let fields, _, _): expected = fields
        case .update(let patch, _, _):
            var fields = base ?? [:]
            for (name, value) in patch.entries { fields[name] = value }
            expected = fields
        case .delete: expected = nil
        }
        let path = snapshot.folder.path(of: id) ?? snapshot.tracked.todos[id]?.localPath ?? id.string
        guard let found = snapshot.folder.todos[id]?.todo.fields else {
            return expected == nil ? nil : .unexplained(id, path: path)
        }
        let isSame = expected.map { CanonicalField.areEqual($0, found) } ?? false
        return isSame ? nil : .unexplained(id, path: path)
    }
}

extension StateProblem {
    fileprivate var isConfiguration: Bool { if case .configuration = self { true } else { false } }

    /// Whether the journal can be read despite this problem.
    fileprivate var isBesidesJournal: Bool {
        [.wrongCache, .noJournalLength, .wrongJournalLength, .wrongResolutions].contains(self)
    }

    /// The todo that the problem is about; nil if it isn't about one.
    fileprivate var todo: TodoID? {
        switch self {
        case .invalidText(let id, _, _), .invalidPath(let id, _), .unexplained(let id, _): id
        default: nil
        }
    }
}
