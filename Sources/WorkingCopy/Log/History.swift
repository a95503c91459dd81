package import TodoModel

/// The operation log: the changes of each operation, oldest first.
package struct History: Sendable {
    package private(set) var operations: [LoggedOperation] = []
    /// The texts of todos at the end of the part of the log that was dropped.
    package private(set) var remembered: [TodoID: FileText] = [:]
    /// The todos that weren't kept in the folder at the end of the part of the log that was dropped.
    package private(set) var notKept: Set<TodoID> = []
    /// The state after the records applied so far.
    package private(set) var state = State()
    /// The changes that aren't yet known to be applied.
    private var open: [TodoID: (operation: Int, event: Int)] = [:]

    package init() {}

    /// Applies the next record.
    mutating func apply(_ record: JournalRecord) {
        switch record {
        case .begin(let operation, let time, let command):
            operations.append(LoggedOperation(operation: operation, time: time, command: command))
        case .end(_, let changes):
            // An operation's end means that its announced edits were applied, except the abandoned edits.
            open = [:]
            guard !operations.isEmpty else { break }
            operations[operations.count - 1].todos = changes
            operations[operations.count - 1].hasEnded = true
        case .undoes(let operation):
            guard !operations.isEmpty else { break }
            operations[operations.count - 1].undoes = operation
            let count = operations[operations.count - 1].events.count
            operations[operations.count - 1].eventsBeforeUndoing = count
        case .announced(let edit):
            note(.change(change(edit)))
            if let last = operations.indices.last {
                open[edit.id] = (last, operations[last].events.count - 1)
            }
        case .abandoned(let id):
            if let position = open.removeValue(forKey: id) {
                operations[position.operation].events[position.event] = .givenUp(id)
            }
        case .finished(let id): open[id] = nil
        case .sent(let id, let sent): note(.seen(id, FileText(sent.bytes, at: sent.localPath)))
        case .accepted(let id, _):
            guard let todo = state.todos[id], let sent = todo.sent else { break }
            note(
                .pushed(
                    TodoChange(
                        id: id, path: sent.localPath,
                        change: sent.bytes == nil ? .delete : todo.base?.todo == nil ? .insert : .update,
                        state: .pushed)))
        case .rejected(let id): note(.rejected(id))
        case .confirmed(let id, let remote, let localPath, let kept):
            let text = FileText(remote.todo?.bytes, at: localPath ?? remote.todo?.path ?? id.string)
            var recorded = state.todos[id]
            recorded?.finish()
            let change = kept.map { kept in
                let path = kept.text == nil ? nil : localPath ?? recorded?.localPath ?? id.string
                return self.change(
                    AnnouncedEdit(
                        id: id, from: path, to: path, bytes: kept.text,
                        isPathLocalOnly: path.map { recorded?.isLocalOnlyPath($0) ?? false } ?? false,
                        replaced: kept.text, remote: remote, choices: kept.choices))
            }
            note(
                .linked(
                    LoggedLink(id: id, text: text, baseBefore: recorded?.base, remote: remote, kept: change)))
        case .distrusted(let ids): for id in ids { note(.distrusted(id)) }
        case .kept(let id, let path, let bytes): note(.kept(id, FileText(bytes, at: path)))
        case .remembered(let id, let todo):
            guard let base = todo.base?.todo,
                let localPath = todo.isNotKept ? todo.formerLocalPath : todo.localPath
            else { break }
            if todo.isNotKept { notKept.insert(id) }
            remembered[id] = FileText(base.bytes, at: localPath)
        default: break
        }
        state.apply(record)
    }

    /// Applies records that show which unfinished edits were applied, judging by the files.
    package mutating func apply(_ records: [JournalRecord]) {
        for record in records { apply(record) }
    }

    private mutating func note(_ event: LoggedEvent) {
        guard !operations.isEmpty else { return }
        operations[operations.count - 1].events.append(event)
    }

    private func change(_ edit: AnnouncedEdit) -> LoggedChange {
        let id = edit.id
        var recorded = state.todos[id]
        // Another record about the todo means that its previous edit was applied.
        recorded?.finish()
        var before: FileText?
        if let from = edit.from {
            // If the record has no old text, the base version has that text, or the file was only moved.
            let isMoveOnly = edit.remote == nil && edit.conflict == .none
            let old = isMoveOnly ? edit.bytes ?? recorded?.base?.todo?.bytes : recorded?.base?.todo?.bytes
            before = FileText(edit.replaced ?? old, at: from)
        }
        return LoggedChange(
            id: id, before: before,
            after: edit.to.flatMap { FileText(edit.bytes, at: $0) },
            lacksTextBefore: edit.from != nil && before == nil,
            wasPathLocalOnly: edit.from.map { recorded?.isLocalOnlyPath($0) ?? false } ?? false,
            isPathLocalOnly: edit.isPathLocalOnly,
            wasTracked: recorded != nil, wasNotKept: recorded?.isNotKept ?? false, purges: edit.purges,
            conflict: edit.conflict, conflictBefore: recorded?.conflict,
            baseBefore: recorded?.base,
            remote: edit.remote, choices: edit.choices)
    }
}

/// A todo's file at some point of the log.
package enum PastText: Sendable, Hashable {
    case text(FileText)
    /// The todo had no file.
    case absent
    /// The log has no information about the todo at that point.
    case unknown

    init(_ text: FileText?) { self = text.map(Self.text) ?? .absent }
}

extension History {
    /// Returns a todo's text after an operation, if the log has it.
    ///
    /// - Parameter index: The operation's index in ``operations``; -1 for the time before the first
    ///   operation.
    package func text(of id: TodoID, after index: Int) -> PastText {
        for operation in operations[...max(index, -1)].reversed() {
            for event in operation.events.reversed() where event.id == id {
                switch event {
                // A purge removes only the file; the todo still has its text.
                case .change(let change): return PastText(change.purges ? change.before : change.after)
                case .seen(_, let text): return PastText(text)
                case .linked(let link):
                    if let kept = link.kept { return PastText(kept.after) }
                    // If the remote deleted the todo, its file is gone or has a pending edit.
                    if let text = link.text { return .text(text) }
                case .kept, .pushed, .rejected, .givenUp, .distrusted: continue
                }
            }
        }
        return remembered[id].map(PastText.text) ?? .unknown
    }

    /// Returns a todo's text just before an operation changed it, including an editor's changes and texts
    /// that only the log has.
    package func text(of id: TodoID, before index: Int) -> PastText {
        guard operations.indices.contains(index) else { return .unknown }
        for event in operations[index].events where event.id == id {
            switch event {
            case .change(let change): return PastText(change.before)
            case .kept(_, let text?), .seen(_, let text?): return .text(text)
            case .kept, .seen, .linked, .pushed, .rejected, .givenUp, .distrusted: continue
            }
        }
        return text(of: id, after: index - 1)
    }

    /// All todos in the log with the paths that they have had.
    package var paths: [(id: TodoID, path: String)] {
        var paths = remembered.map { (id: $0.key, path: $0.value.path) }
        for operation in operations {
            for event in operation.events {
                for text in event.texts { paths.append((event.id, text.path)) }
            }
            for todo in operation.todos { paths.append((todo.id, todo.path)) }
        }
        return paths
    }
}
