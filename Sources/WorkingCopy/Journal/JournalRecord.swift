package import TodoModel

/// A line of the journal, which is the only source for base versions, open conflicts and the operation log.
package enum JournalRecord: Sendable, Hashable {
    /// The journal's first record.
    case format(Int)
    /// A command began to change something; the time is for people to read.
    case begin(operation: String, time: String, command: String)
    /// The last command ended, with its changes to each todo.
    case end(operation: String, changes: [TodoChange])
    /// A file is about to be written, moved or removed.
    case announced(AnnouncedEdit)
    /// The todo's last ``announced(_:)`` edit was applied.
    case finished(id: TodoID)
    /// The todo's last ``announced(_:)`` edit wasn't applied, because the file had changed in the meantime.
    case abandoned(id: TodoID)
    /// The remote has this state, and the folder already agreed with it, so no file was touched.
    case confirmed(id: TodoID, RemoteState, place: String?)
    /// A todo was recorded at this path.
    case placed(id: TodoID, path: String)
    /// The todo is no longer tracked: both sides agree that it is gone.
    case dropped(id: TodoID)
    /// An operation is about to be sent.
    case sent(id: TodoID, SentOperation)
    /// The remote applied the operation last sent for the todo.
    case accepted(id: TodoID, Version)
    /// The remote didn't apply the operation last sent for the todo.
    case rejected(id: TodoID)
    /// A remote change that can't be applied yet.
    case held(id: TodoID, RemoteState)
    /// A text that was replaced or removed, kept so that it can be restored.
    case kept(id: TodoID, path: String, bytes: [UInt8])
    /// The cursor up to which the remote's changes are known; midway if the remote had more when they were
    /// read.
    case cursor(Cursor, isMidway: Bool = false)
    /// The remote's table and store, and its URL.
    case identity(RemoteIdentity, url: String)
    /// Another remote was set: everything recorded about the previous one is void.
    case forgotten
    /// The current operation undoes an earlier one.
    case undoes(operation: String)
    /// A part of the journal is missing that may have been about these todos: their base versions may be
    /// older than their files, and all of the remote's changes are read again.
    case distrusted([TodoID])
    /// The versions that may be older than the files and couldn't be compared with the remote's changes.
    case doubted(Set<DoubtedVersion>)
    /// A guard withheld deletes, so that deletes applied by interrupted runs still count.
    case withheld
    /// The number of changes that the guards withhold from now on, until the user answers.
    case guards(WithheldCounts)
    /// Where a todo's file comes from; nil if it is the newest base version or an edit of it.
    case origin(id: TodoID, FileOrigin?)
    /// Texts that a todo has had, and the marks of such texts, when the records that had them were dropped
    /// from the journal or are in another one.
    case past(id: TodoID, texts: [[UInt8]], marks: [ContentMark])
    /// What git had checked out when a command ended.
    case head(RecordedHead)
    /// A todo's state, written when the records behind it are dropped from the journal.
    case remembered(id: TodoID, TodoState)
    /// The last operation that the remote accepted when the records that led to it were dropped from the
    /// journal.
    case lastAccepted(AcceptedOperation)
}

extension JournalRecord {
    /// The todo whose files must be on the disk before the record; nil if there is none.
    var finishedTodo: TodoID? {
        switch self {
        case .announced(let edit): edit.id
        case .finished(let id), .confirmed(let id, _, _), .placed(let id, _), .dropped(let id),
            .sent(let id, _), .accepted(let id, _), .rejected(let id), .held(let id, _),
            .remembered(let id, _):
            id
        case .format, .begin, .end, .abandoned, .kept, .cursor, .identity, .forgotten, .undoes, .distrusted,
            .doubted, .withheld, .guards, .lastAccepted, .origin, .past, .head:
            nil
        }
    }
}

/// The kind of change to a todo.
package enum OperationKind: String, Sendable {
    case insert, update, delete
}

/// A command's change to a todo, as the operation log shows it.
package struct TodoChange: Sendable, Hashable {
    package enum State: String, Sendable {
        case pending, pushed, pulled, merged, conflict, resolved, cancelled, undone, purged
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
