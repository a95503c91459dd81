package import TodoModel

/// A line of the journal: the one truth about base versions, open conflicts and what each command did.
package enum JournalRecord: Sendable, Hashable {
    /// The journal's first record.
    case format(Int)
    /// A command begins to change something. Times are for people.
    case begin(operation: String, time: String, command: String)
    /// The command that began last is done, with what it did to which todo.
    case end(operation: String, changes: [TodoChange])
    /// A file is about to be written, moved or removed.
    case announced(AnnouncedEdit)
    /// The file of the todo's last ``bringing(_:)`` is as announced.
    case finished(id: TodoID)
    /// The todo's last ``bringing(_:)`` was not carried out, as the file had changed meanwhile.
    case abandoned(id: TodoID)
    /// The remote has this and the folder agreed already, without a file being touched.
    case confirmed(id: TodoID, RemoteState, place: String?)
    /// A todo was recorded at this path.
    case placed(id: TodoID, path: String)
    /// Nothing is known of the todo any more: both sides agree that it is gone.
    case dropped(id: TodoID)
    /// An operation is about to be sent.
    case sent(id: TodoID, SentOperation)
    /// The operation sent last for the todo was carried out by the remote.
    case accepted(id: TodoID, Version)
    /// The operation sent last for the todo was not carried out.
    case rejected(id: TodoID)
    /// A remote change that can't be brought in yet.
    case held(id: TodoID, RemoteState)
    /// A text that was replaced or removed, for bringing it back.
    case kept(id: TodoID, path: String, bytes: [UInt8])
    /// How far the remote's changes are known; midway if it had more when they were read.
    case cursor(Cursor, isMidway: Bool = false)
    /// Which table of which store the remote is, and the URL that led there.
    case identity(RemoteIdentity, url: String)
    /// Another remote: all that is known of the one before is void.
    case forgotten
    /// The operation under way takes back what an earlier one did.
    case undoes(operation: String)
    /// A part of the journal is missing that may have been about these todos: their base versions may be
    /// older than their files, and the remote is asked for everything again.
    case distrusted([TodoID])
    /// The versions that may be older than the files and could not be compared with what the remote has new.
    case doubted(Set<DoubtedVersion>)
    /// A guard withheld deletes, so that those which runs that did not end carried out go on counting.
    case withheld
    /// What the guards withhold from now on until the user has answered.
    case guards(WithheldCounts)
    /// All that was remembered of a todo when what led there was left out of the journal.
    case remembered(id: TodoID, TodoState)
    /// The operation that the remote accepted last when what led there was left out of the journal.
    case lastAccepted(AcceptedOperation)
}

extension JournalRecord {
    /// The todo whose files the record takes to be on the disk as they are; nil if it takes none for that.
    var settledTodo: TodoID? {
        switch self {
        case .announced(let bringing): bringing.id
        case .finished(let id), .confirmed(let id, _, _), .placed(let id, _), .dropped(let id),
            .sent(let id, _), .accepted(let id, _), .rejected(let id), .held(let id, _),
            .remembered(let id, _):
            id
        case .format, .begin, .end, .abandoned, .kept, .cursor, .identity, .forgotten, .undoes, .distrusted,
            .doubted, .withheld, .guards, .lastAccepted:
            nil
        }
    }
}

/// What is done to a todo.
package enum OperationKind: String, Sendable {
    case insert, update, delete
}

/// What a command did to a todo, as the operation log tells it.
package struct TodoChange: Sendable, Hashable {
    package enum State: String, Sendable {
        case pending, pushed, pulled, merged, conflict, resolved, cancelled, undone
    }

    package var id: TodoID
    package var path: String
    package var change: OperationKind
    package var state: State

    package init(id: TodoID, path: String, change: OperationKind, state: State) {
        self.id = id
        self.path = path
        self.change = change
        self.state = state
    }
}
