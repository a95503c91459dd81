package import TodoModel

/// A record of the journal, which is the only source of base versions, open conflicts and the operation log.
package enum JournalRecord: Sendable, Hashable {
    /// The journal's first record.
    case format(Int)
    /// A command began to change something; the time is only for display.
    case begin(operation: String, time: String, command: String)
    /// The operation ended; the value lists its changes to todos.
    case end(operation: String, changes: [TodoChange])
    /// A file is about to be written, moved or removed.
    case announced(AnnouncedEdit)
    /// The todo's last ``announced(_:)`` edit was applied.
    case finished(id: TodoID)
    /// The todo's last ``announced(_:)`` edit wasn't applied, because the file had changed in the meantime.
    case abandoned(id: TodoID)
    /// The remote has this state, and no file was changed: the folder already agreed with it, has other
    /// changes, or keeps its side of a conflict.
    case confirmed(id: TodoID, RemoteState, localPath: String?, kept: KeptSide? = nil)
    /// A todo's file was found at this path.
    case found(id: TodoID, path: String)
    /// The todo is no longer tracked, because it was deleted both locally and on the remote.
    case dropped(id: TodoID)
    /// An operation is about to be sent.
    case sent(id: TodoID, SentOperation)
    /// The remote applied the operation last sent for the todo.
    case accepted(id: TodoID, Version)
    /// The remote didn't apply the operation last sent for the todo.
    case rejected(id: TodoID)
    /// The remote has a change that can't be applied yet.
    case held(id: TodoID, RemoteState)
    /// A text that was replaced or removed, kept so that it can be restored.
    case kept(id: TodoID, path: String, bytes: [UInt8])
    /// The cursor after the remote changes that were read; `isMidway` if the remote already had more changes.
    case cursor(Cursor, isMidway: Bool = false)
    /// The identity of the remote's table and store, and the remote's URL.
    case identity(RemoteIdentity, url: String)
    /// A different remote was set, which voids everything recorded about the previous remote.
    case forgotten
    /// The current operation undoes an earlier one.
    case undoes(operation: String)
    /// A missing part of the journal might have been about these todos. Their base versions might be older
    /// than their files, so all of the remote's changes are read again.
    case distrusted([TodoID])
    /// The versions that might be older than the files and that no remote change could confirm yet.
    case doubted(Set<DoubtedVersion>)
    /// A guard withheld deletes; deletes applied by interrupted commands still count toward it.
    case withheld
    /// The number of changes that the guards withhold until the user answers.
    case guards(WithheldCounts)
    /// The origin of a todo's file; nil for the newest base version or an edit of it.
    case origin(id: TodoID, FileOrigin?)
    /// Earlier texts of a todo, if their records were dropped from the journal, are in a different journal,
    /// or never were in one.
    case past(id: TodoID, RecordedPast)
    /// What git had checked out when a command that judged all todos ended.
    case head(RecordedHead)
    /// A todo's state, written when the records that led to it are dropped from the journal.
    case remembered(id: TodoID, TodoState)
    /// The last operation that the remote accepted, written when the records that led to it are dropped.
    case lastAccepted(AcceptedOperation)
}

extension JournalRecord {
    /// The todo whose files must be on disk before the record is; nil if there isn't one.
    var finishedTodo: TodoID? {
        switch self {
        case .announced(let edit): edit.id
        case .finished(let id), .confirmed(let id, _, _, _), .found(let id, _), .dropped(let id),
            .sent(let id, _), .accepted(let id, _), .rejected(let id), .held(let id, _),
            .remembered(let id, _):
            id
        case .format, .begin, .end, .abandoned, .kept, .cursor, .identity, .forgotten, .undoes, .distrusted,
            .doubted, .withheld, .guards, .lastAccepted, .origin, .past, .head:
            nil
        }
    }
}

/// Earlier texts of a todo.
package struct RecordedPast: Sendable, Hashable {
    package var texts: [[UInt8]] = []
    /// The marks of texts that aren't in the record.
    package var marks: [ContentMark] = []
    /// The marks of the texts that the remote confirmed, and of those that a confirmed text replaced, oldest
    /// first.
    package var synced: [ContentMark] = []
    /// The marks of texts that were held and never sent.
    package var unsent: [ContentMark] = []
    /// The paths at which the remote confirmed the todo.
    package var paths: [String] = []

    package init() {}
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
