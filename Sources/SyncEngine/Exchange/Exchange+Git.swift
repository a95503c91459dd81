internal import Git
internal import TodoModel
internal import WorkingCopy

// Todos whose files git rolled back to an older version, or removed.

extension Exchange {
    /// Marks the todos to bring to their newest versions, as the options and the configuration say.
    func forward(_ options: SyncOptions) throws {
        let always = locked.configuration.gitForward == .always
        guard options.forwards || always else { return }
        for (id, standing) in locked.standings where standing.isLeftAlone {
            if case .held = standing {} else if !options.forwards { continue }
            locked.standings[id] = .forwarded
        }
    }

    /// Asks the user once about all held todos, if the options have a question.
    func askAboutHeld(_ options: SyncOptions) throws {
        let held = HeldTodo.all(in: locked.snapshot)
        guard let ask = options.askAboutHeld, !held.isEmpty, locked.configuration.gitForward == .ask else {
            return
        }
        switch try ask(held) {
        case .forward: for todo in held { locked.standings[todo.id] = .forwarded }
        case .send: try Origins(locked: locked).trust(held.map(\.id))
        case .leave: break
        }
    }

    /// Brings in the newest versions of todos whose files are older ones: for those to be forwarded, and for
    /// those that can't be sent before they are merged with it.
    ///
    /// - Parameters:
    ///   - selected: the todos to be sent; nil for all.
    ///   - isForPush: false to forward only.
    func bringInOlder(_ selected: Set<TodoID>?, isForPush: Bool, _ policy: Policy) async throws {
        let due = locked.standings.filter { id, standing in
            standing == .forwarded
                || isForPush && standing.isOfOlderVersion && selected?.contains(id) ?? true
        }
        guard !due.isEmpty else { return }
        var newest: [TodoID: RemoteState] = [:]
        for id in due.keys {
            let known = locked.tracked.todos[id]
            newest[id] = known?.held ?? known?.base
        }
        try await bringIn(newest, policy)
        // Where the file already has all of the newest version, nothing was written.
        let unwritten = due.filter { id, standing in
            standing.isOfOlderVersion && locked.standings[id] != nil && locked.tracked.todos[id]?.held == nil
        }
        try Origins(locked: locked).trust(unwritten.keys)
        // A todo whose newest version couldn't be applied is still as git left it.
        for id in due.keys where locked.standings[id] == .forwarded {
            guard let operation = locked.snapshot.pendingOperation(id) else { continue }
            locked.standings[id] = operation.local == nil ? .absent : .behind
        }
    }
}
