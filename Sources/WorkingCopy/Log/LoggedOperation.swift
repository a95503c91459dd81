package import TodoModel

/// One operation, as the journal tells it.
package struct LoggedOperation: Sendable {
    /// Its id.
    package let operation: String
    /// When it began, as an RFC 3339 time; for people.
    package let time: String
    /// The command as it was typed.
    package let command: String
    /// What it did to which todo; empty where it did not come to its end.
    package internal(set) var todos: [TodoChange] = []
    package internal(set) var hasEnded = false
    /// The operation that this one takes back.
    package internal(set) var undoes: String?
    /// What the journal tells of single todos, in its order.
    package internal(set) var events: [LoggedEvent] = []
    /// How many events finished what was cut off, before it took something back.
    var eventsBeforeUndoing = 0

    /// The changes of files that were carried out.
    package var changes: [LoggedChange] {
        events.compactMap { if case .change(let change) = $0 { change } else { nil } }
    }

    /// The todos that are as they were before the operation that this one takes back.
    ///
    /// They are those of which it says so at its end, and those whose files it changed. A todo's first change
    /// counts, as what follows one that was given up brings back another text.
    package var takenBack: Set<TodoID> {
        guard undoes != nil else { return [] }
        var isCarriedOut: [TodoID: Bool] = [:]
        for event in events.dropFirst(eventsBeforeUndoing) where isCarriedOut[event.id] == nil {
            switch event {
            case .change: isCarriedOut[event.id] = true
            case .givenUp: isCarriedOut[event.id] = false
            case .seen, .linked, .pushed, .kept: break
            }
        }
        return Set(isCarriedOut.filter(\.value).keys).union(
            todos.filter { $0.state == .undone }.map(\.id))
    }
}

/// A todo's file at one time: its path and its bytes.
package struct FileText: Sendable, Hashable {
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// Creates the text of a file; nil if there was none.
    package init?(_ bytes: [UInt8]?, at path: String) {
        guard let bytes else { return nil }
        self.init(path: path, bytes: bytes)
    }
}

/// What the journal tells of one todo.
package enum LoggedEvent: Sendable {
    case change(LoggedChange)
    /// The file had this text when it was sent; nil where it was gone.
    case seen(TodoID, FileText?)
    /// The remote had this text, and the file agreed with it or was changed besides.
    case linked(TodoID, FileText?)
    /// The remote took what was sent.
    case pushed(TodoChange)
    /// A text that only the log has.
    case kept(TodoID, FileText?)
    /// A change that was announced and not carried out.
    case givenUp(TodoID)

    package var id: TodoID {
        switch self {
        case .change(let change): change.id
        case .pushed(let change): change.id
        case .seen(let id, _), .linked(let id, _), .kept(let id, _), .givenUp(let id): id
        }
    }

    /// The texts that it tells of.
    package var texts: [FileText] {
        switch self {
        case .change(let change): [change.before, change.after].compactMap(\.self)
        case .seen(_, let text), .linked(_, let text), .kept(_, let text): [text].compactMap(\.self)
        case .pushed, .givenUp: []
        }
    }
}

/// A change of a todo's file, with what was known of the todo before it.
package struct LoggedChange: Sendable {
    package let id: TodoID
    /// The file before; nil if there was none.
    package let before: FileText?
    /// The file after; nil if there is none.
    package let after: FileText?
    /// Whether the path before was this folder's alone.
    package let wasDisplaced: Bool
    /// Whether anything was remembered of the todo before.
    package let wasKnown: Bool
    /// What the change did to a conflict.
    package let conflict: AnnouncedEdit.ConflictChange
    /// The conflict that was open before.
    package let conflictBefore: OpenConflict?
    /// The base version before.
    package let baseBefore: RemoteState?
    /// What of the remote was brought in by it.
    package let remote: RemoteState?
}
