package import TodoModel

/// One operation, as recorded in the journal.
package struct LoggedOperation: Sendable {
    /// The operation's id.
    package let operation: String
    /// The time when the operation began, in RFC 3339 format, for display.
    package let time: String
    /// The command as the user typed it.
    package let command: String
    /// The operation's changes to todos; empty if the operation was interrupted.
    package internal(set) var todos: [TodoChange] = []
    package internal(set) var hasEnded = false
    /// The operation that this one undoes.
    package internal(set) var undoes: String?
    /// The events, in the journal's order.
    package internal(set) var events: [LoggedEvent] = []
    /// The number of events from recovering an interrupted operation, which precede the undo itself.
    var eventsBeforeUndoing = 0

    /// The edits of files that were applied.
    package var changes: [LoggedChange] {
        events.compactMap { if case .change(let change) = $0 { change } else { nil } }
    }

    /// The todos that this operation restored to their state before the operation that it undoes.
    ///
    /// These are the todos listed at its end, and the todos whose files it changed. Only the first change of
    /// a todo counts, because a change after an abandoned change restores a different text.
    package var undoneIDs: Set<TodoID> {
        guard undoes != nil else { return [] }
        var isApplied: [TodoID: Bool] = [:]
        for event in events.dropFirst(eventsBeforeUndoing) where isApplied[event.id] == nil {
            switch event {
            case .change: isApplied[event.id] = true
            case .givenUp: isApplied[event.id] = false
            case .seen, .linked, .pushed, .rejected, .kept, .distrusted: break
            }
        }
        return Set(isApplied.filter(\.value).keys).union(
            todos.filter { $0.state == .undone }.map(\.id))
    }
}

/// A todo's file at some point: its path and its bytes.
package struct FileText: Sendable, Hashable {
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// Creates the text of a file; nil if there was no file.
    package init?(_ bytes: [UInt8]?, at path: String) {
        guard let bytes else { return nil }
        self.init(path: path, bytes: bytes)
    }
}

/// An event in the log about a single todo.
package enum LoggedEvent: Sendable {
    case change(LoggedChange)
    /// The file had this text when it was sent; nil if it didn't exist.
    case seen(TodoID, FileText?)
    /// The remote had this state, and the file either agreed with it or had other changes.
    case linked(LoggedLink)
    /// The remote accepted the operation.
    case pushed(TodoChange)
    /// The remote didn't apply the operation.
    case rejected(TodoID)
    /// A text that only the log has.
    case kept(TodoID, FileText?)
    /// An announced edit was not applied.
    case givenUp(TodoID)
    /// A missing part of the journal might have been about the todo.
    case distrusted(TodoID)

    package var id: TodoID {
        switch self {
        case .change(let change): change.id
        case .linked(let link): link.id
        case .pushed(let change): change.id
        case .seen(let id, _), .rejected(let id), .kept(let id, _), .givenUp(let id), .distrusted(let id): id
        }
    }

    /// The texts in the event.
    package var texts: [FileText] {
        switch self {
        case .change(let change): [change.before, change.after].compactMap(\.self)
        case .linked(let link): [link.text, link.kept?.after].compactMap(\.self)
        case .seen(_, let text), .kept(_, let text): [text].compactMap(\.self)
        case .pushed, .rejected, .givenUp, .distrusted: []
        }
    }
}

/// A change to a todo's file, with the todo's state before it.
package struct LoggedChange: Sendable {
    package let id: TodoID
    /// The file before the change; nil if there wasn't one.
    package let before: FileText?
    /// The file after the change; nil if there wasn't one.
    package let after: FileText?
    /// Whether the journal no longer has the text before the change.
    package let lacksTextBefore: Bool
    /// Whether the path before the change was used only in this folder.
    package let wasPathLocalOnly: Bool
    /// Whether the path after the change is used only in this folder.
    package let isPathLocalOnly: Bool
    /// Whether the todo was tracked before the change.
    package let wasTracked: Bool
    /// Whether the todo wasn't kept in this folder before the change.
    package let wasNotKept: Bool
    /// Whether the file was removed because the user purged the todo.
    package let purges: Bool
    /// The change's effect on a conflict.
    package let conflict: AnnouncedEdit.ConflictChange
    /// The conflict that was open before the change.
    package let conflictBefore: OpenConflict?
    /// The base version before the change.
    package let baseBefore: RemoteState?
    /// The remote state that the change applied.
    package let remote: RemoteState?
    /// Who decided conflicts with the remote state.
    package let choices: [LoggedChoice]
}

/// A state of the remote that was recorded without changing the todo's file.
package struct LoggedLink: Sendable {
    package let id: TodoID
    /// The remote's text; nil if the remote deleted the todo.
    package let text: FileText?
    /// The base version before the record.
    package let baseBefore: RemoteState?
    /// The base version after the record.
    package let remote: RemoteState
    /// The change that kept the file, because a conflict was resolved with its content; nil if there wasn't
    /// one.
    package let kept: LoggedChange?
}

/// Who decided a conflict before it was written to the file, for the log.
package struct LoggedChoice: Sendable, Hashable {
    package enum Chooser: String, Sendable {
        /// The program that `merge.handler` names.
        case handler
        /// The delegate of a program that uses the library.
        case program
        /// The option `--on-conflict` with a side.
        case option
        /// An earlier answer to the same conflict, by `merge.remember`.
        case memory
        /// The user, at the prompt.
        case user
        /// The field's rule in `merge.fields`; recorded only if the file didn't change.
        case rule
    }

    package var chooser: Chooser
    /// The top-level fields; if a side deleted the todo, those that the other side changed.
    package var fields: [String]

    package init(_ chooser: Chooser, _ fields: [String]) {
        self.chooser = chooser
        self.fields = fields
    }
}

/// A conflict that was resolved with the file's existing content.
package struct KeptSide: Sendable, Hashable {
    /// The file's text; nil if there was no file.
    package var text: [UInt8]?
    package var choices: [LoggedChoice]

    package init(text: [UInt8]?, choices: [LoggedChoice]) {
        self.text = text
        self.choices = choices
    }
}
