internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Returns the operation log, newest first: all of it, or the part about one todo.
    package func log(_ name: String?) throws -> [LogEntry] { try entries(of: history(), about: name) }

    /// Returns the operation log with the names that people use for the todos.
    package func logReport(_ name: String?) throws -> (entries: [LogEntry], names: TodoNames) {
        let history = try history()
        let entries = try entries(of: history, about: name)
        let snapshot = try Snapshot(of: self)
        let ids = Set(entries.flatMap { $0.todos.map(\.id) })
        let former = history.lastTexts(of: ids.filter { !Selection(snapshot).isRemembered($0) })
        return (entries, TodoNames(snapshot, former: former))
    }

    private func entries(of history: History, about name: String?) throws -> [LogEntry] {
        try surroundings.warnOfLoss(of: configuration(), translatingErrors { try directory.state() })
        let undone = history.undoneTodos
        let undoing = history.undoing(undone)
        let entries = history.operations.map { operation in
            var entry = LogEntry(operation, undone: undone[operation.operation] ?? [])
            entry.undoneBy = undoing[operation.operation]
            return entry
        }
        guard let name else { return entries.reversed().filter { !$0.todos.isEmpty } }
        let id = try Selection(Snapshot(of: self)).remembered(name, history)
        return entries.reversed().compactMap { entry in
            var entry = entry
            entry.todos.removeAll { $0.id != id }
            return entry.todos.isEmpty ? nil : entry
        }
    }

    /// Returns a todo as it was after an operation, or before it if `^` follows the operation's id.
    package func show(_ name: String, at operation: String) throws -> ListedTodo {
        let history = try history()
        let snapshot = try Snapshot(of: self)
        let id = try Selection(snapshot).remembered(name, history)
        guard case .text(let text) = try history.text(of: id, at: operation) else {
            throw EngineError.noTextAt(name, operation: operation)
        }
        let reading = ParsedFile(text.bytes, isRecorded: true)
        var listed = ListedTodo(
            id: id, path: text.path, fields: [:], isConflicted: false, bytes: text.bytes,
            handle: Handles(snapshot).handle(of: id))
        switch reading {
        case .todo(let todo): listed.fields = todo.fields
        case .markers:
            listed.isConflicted = true
            let file = ConflictedFile(reading, id, text)
            listed.fields = file?.shownTodo?.fields ?? [:]
        case .onlyID, .invalid, .other: break
        }
        return listed
    }

    /// Returns the changes of each operation.
    ///
    /// For an interrupted operation, the files determine which edits were applied.
    func history() throws -> History {
        try translatingErrors {
            var history = try directory.history()
            guard history.state.hasUnfinished else { return history }
            history.apply(
                try Snapshot.recovered(self, configuration(), history.state, usingCache: false).records)
            return history
        }
    }
}

extension ConflictedFile {
    fileprivate init?(_ reading: ParsedFile, _ id: TodoID, _ text: FileText) {
        guard case .markers(let conflicted, _) = reading else { return nil }
        self.init(id: id, path: text.path, bytes: text.bytes, content: .markers(conflicted))
    }
}

extension Selection {
    /// Returns the todo that a name refers to: an existing todo, or else one in the log.
    func remembered(_ name: String, _ history: History) throws -> TodoID {
        switch try exactMatch(name)?.named {
        case .todo(let id)?: return id
        case .duplicate(let file)?: throw EngineError.isDuplicate(file)
        // A new or invalid file is at the path of a todo that is gone.
        case .new?, .invalid?, nil: break
        }
        let paths = history.paths
        for path in self.paths(name) {
            if let last = paths.last(where: { $0.path.isSameBytes(as: path) }) { return last.id }
        }
        let ids = Set(paths.map(\.id))
        if let id = TodoID(name), ids.contains(id) { return id }
        let matching = name.isEmpty ? [] : ids.filter { $0.string.utf8.starts(with: name.utf8) }.sorted()
        if matching.count == 1 { return matching[0] }
        if let found = try searchMatch(name), case .todo(let id) = found.named { return id }
        if matching.count > 1 { throw ambiguous(name, matching.map(Named.todo)) }
        throw EngineError.noSuchTodo(name)
    }
}

extension History {
    /// Returns the index of the operation with an id or a unique prefix of it, or of the Nth newest operation
    /// of the log for `@N`.
    ///
    /// A prefix needs four characters, because a number that was meant as a count is a prefix of some id.
    func index(of name: String) throws -> Int {
        if name.utf8.first == UInt8(ascii: "@") {
            let listed = operations.indices.filter { !LogEntry(operations[$0], undone: []).todos.isEmpty }
            guard let number = Int(name.dropFirst()), listed.indices.contains(listed.count - number) else {
                throw EngineError.noSuchOperation(name)
            }
            return listed[listed.count - number]
        }
        let matching = operations.indices.filter { operations[$0].operation.utf8.starts(with: name.utf8) }
        if let same = matching.last(where: { operations[$0].operation == name }) { return same }
        guard name.utf8.count >= 4, let index = matching.last else {
            throw EngineError.noSuchOperation(name)
        }
        if matching.count > 1 {
            throw EngineError.ambiguousOperation(name, operations: matching.map { operations[$0].operation })
        }
        return index
    }

    /// Returns a todo's text after an operation, or just before it if `^` follows the id, as in git.
    func text(of id: TodoID, at name: String) throws -> PastText {
        if name.utf8.last == UInt8(ascii: "^") {
            return text(of: id, before: try index(of: String(name.dropLast())))
        }
        return text(of: id, after: try index(of: name))
    }

    /// Returns the newest texts of todos in the log.
    fileprivate func lastTexts(of ids: Set<TodoID>) -> [TodoID: [UInt8]] {
        guard !ids.isEmpty else { return [:] }
        var texts = remembered.filter { ids.contains($0.key) }.mapValues(\.bytes)
        for event in operations.lazy.flatMap(\.events) where ids.contains(event.id) {
            if let text = event.texts.last { texts[event.id] = text.bytes }
        }
        return texts
    }

    /// The undone todos of each operation, except those whose undo was undone.
    var undoneTodos: [String: Set<TodoID>] {
        var undone: [String: Set<TodoID>] = [:]
        // Begin with the newest operation, because an undo that was undone has no effect.
        for operation in operations.reversed() {
            guard let target = operation.undoes else { continue }
            let inForce = operation.undoneIDs.subtracting(undone[operation.operation] ?? [])
            undone[target, default: []].formUnion(inForce)
        }
        return undone
    }
}

extension History {
    /// Returns the last operation in effect that undoes each operation.
    ///
    /// - Parameter undone: The undone todos of each operation.
    fileprivate func undoing(_ undone: [String: Set<TodoID>]) -> [String: String] {
        var undoing: [String: String] = [:]
        for operation in operations {
            guard let target = operation.undoes,
                !operation.undoneIDs.isSubset(of: undone[operation.operation] ?? [])
            else { continue }
            undoing[target] = operation.operation
        }
        return undoing
    }
}

extension LogEntry {
    init(_ operation: LoggedOperation, undone: Set<TodoID>) {
        var todos = operation.hasEnded ? operation.todos : operation.interruptedTodos
        // An undo that fails midway ends without listing its todos.
        let unlisted = operation.undoneIDs.subtracting(todos.map(\.id))
        todos += operation.interruptedTodos.filter { unlisted.contains($0.id) }
        for index in todos.indices where undone.contains(todos[index].id) { todos[index].state = .undone }
        self.init(
            operation: operation.operation, time: operation.time, command: operation.command, todos: todos,
            isInterrupted: !operation.hasEnded, undoes: operation.undoes)
    }
}

extension LoggedOperation {
    /// The changes of an operation that was interrupted before it listed them.
    fileprivate var interruptedTodos: [TodoChange] {
        let undoneIDs = undoneIDs
        return events.compactMap { event in
            switch event {
            case .pushed(let change): change
            case .change(let change):
                TodoChange(
                    id: change.id, path: change.after?.path ?? change.before?.path ?? change.id.string,
                    change: change.kind,
                    state: undoneIDs.contains(change.id) ? .undone : change.state)
            case .seen, .linked, .rejected, .kept, .givenUp, .distrusted: nil
            }
        }
    }
}

extension LoggedChange {
    var kind: OperationKind { before == nil ? .insert : after == nil ? .delete : .update }

    fileprivate var state: TodoChange.State {
        switch conflict {
        case .opens: return .conflict
        case .closes: return .resolved
        case .aborts: return .cancelled
        case .reopens: return .undone
        case .none:
            guard let remote else { return purges ? .purged : wasNotKept ? .undone : .pending }
            return remote.todo?.bytes == after?.bytes ? .pulled : .merged
        }
    }
}
