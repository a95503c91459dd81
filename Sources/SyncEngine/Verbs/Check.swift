internal import TodoModel
public import WorkingCopy

/// What a check of `.todosync` found.
public struct CheckReport: Sendable {
    public var problems: [StateProblem] = []
    /// What was found before it was mended, and is gone now.
    public var mended: [StateProblem] = []

    public var isHealthy: Bool { problems.isEmpty && mended.isEmpty }
}

extension Workspace {
    /// Checks what `.todosync` remembers.
    ///
    /// - Parameter repairs: Whether what can be mended is: what can't be read is cut off, with a copy of it
    ///   kept in `.todosync`, what a command left half-done is finished, and todos whose remembered text can't be
    ///   right are compared with the remote by id, as if they had never been synced.
    public func check(repairs: Bool) throws -> CheckReport {
        let found = try findings()
        guard repairs, !found.isEmpty, !found.contains(where: \.isConfiguration) else {
            return CheckReport(problems: found)
        }
        try Run.perform(self) { run in
            let doubtful = Set(found.compactMap(\.todo)).filter { run.state.todos[$0] != nil }.sorted()
            guard !doubtful.isEmpty else { return }
            try run.transaction.record(doubtful.map { .dropped(id: $0) } + [.distrusted([])])
        }
        let left = try findings()
        return CheckReport(problems: left, mended: found.filter { !left.contains($0) })
    }

    private func findings() throws -> [StateProblem] {
        try translatingErrors { try directory.check(timeout: surroundings.lockTimeout) }
    }
}

extension StateProblem {
    fileprivate var isConfiguration: Bool { if case .configuration = self { true } else { false } }

    /// The todo of which something can't be right.
    fileprivate var todo: TodoID? {
        switch self {
        case .invalidText(let id, _, _), .badPlace(let id, _): id
        default: nil
        }
    }
}
