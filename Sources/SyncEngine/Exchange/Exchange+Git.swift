internal import Git
internal import TodoModel
internal import WorkingCopy

// Handles todos whose files git rolled back to an older version or removed.

extension Exchange {
    /// Marks the todos to bring to their newest versions, according to the options and the configuration.
    func forward() throws {
        let always = locked.configuration.gitForward == .always
        guard options.forwards || always else { return }
        let snapshot = locked.snapshot
        for id in snapshot.standings.keys {
            guard case .held(_, let isElsewhere) = snapshot.condition(of: id).ofFile,
                options.forwards || !isElsewhere
            else { continue }
            locked.standings[id] = .forwarded
        }
    }

    /// Applies the user's answer about all held todos, or asks once the lock is released, if the options have
    /// a question.
    func decideHeld() throws {
        let held = HeldTodo.ofGit(in: locked.snapshot).filter { !$0.isElsewhere }
        guard options.askAboutHeld != nil, !held.isEmpty, locked.configuration.gitForward == .ask else {
            return
        }
        guard let answered = answers.held, answered.todos == held else {
            round.heldToAsk = held
            return
        }
        switch answered.answer {
        case .forward: for id in held.compactMap(\.id) { locked.standings[id] = .forwarded }
        case .send: try Origins(locked: locked).attributeToUser(held.compactMap(\.id))
        case .leave: break
        }
    }

    /// Updates older files to the newest versions, for todos to forward and for todos that must be merged
    /// with the newest version before they can be sent.
    ///
    /// - Parameters:
    ///   - selected: The todos to send; nil for all.
    ///   - isForPush: Whether to prepare todos for a push, in addition to forwarding todos.
    func updateOlder(_ selected: Set<TodoID>?, isForPush: Bool) async throws {
        let due = locked.standings.filter { id, standing in
            standing == .forwarded
                || isForPush && standing.isOfOlderVersion && selected?.contains(id) ?? true
        }
        guard !due.isEmpty else { return }
        var newest: [TodoID: RemoteState] = [:]
        for id in due.keys { newest[id] = locked.tracked.todos[id]?.newest }
        try await applyChanges(newest)
        // If a file already had the whole newest version, nothing was written.
        let unwritten = due.filter { id, standing in
            standing.isOfOlderVersion && locked.standings[id] != nil && locked.tracked.todos[id]?.held == nil
        }
        try Origins(locked: locked).attributeToUser(unwritten.keys)
        // If the newest version couldn't be applied, the file is still as git left it.
        if due.keys.contains(where: { locked.standings[$0] == .forwarded }) {
            locked.standings = locked.standings.filter { $0.value != .forwarded }
            try locked.judge()
        }
    }
}
