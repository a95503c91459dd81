/// The origin of a todo's file, if the file isn't known to be the newest base version or an edit of it.
package enum FileOrigin: Sendable, Hashable {
    /// A todosync command wrote the text with this mark, so the text is the user's edit whatever git did.
    case command(ContentMark)
    /// A todosync command removed the file.
    case removedByCommand
    /// The missing file was judged to be the user's delete, which it stays until the file is back.
    case deleted
    /// The file wasn't sent, and keeps what a command decided about it until it changes.
    case edited(EditedFile)
    /// Git changed or removed the file.
    case held(HeldFile)
    /// The user purged the todo: the folder doesn't keep it, and its missing file isn't a delete.
    case notKept

    /// Whether the origin is that of an existing file.
    var isOfFile: Bool {
        switch self {
        case .command, .edited: true
        case .held(let file): file.mark != nil
        case .removedByCommand, .deleted, .notKept: false
        }
    }
}

/// A file with the user's edit that wasn't sent yet.
package struct EditedFile: Sendable, Hashable {
    package var mark: ContentMark
    /// What the file is an edit of; nil for the newest base version.
    package var basis: EditBasis?

    package init(mark: ContentMark, basis: EditBasis?) { (self.mark, self.basis) = (mark, basis) }
}

/// What a file is an edit of, if that isn't the newest base version.
package struct EditBasis: Sendable, Hashable {
    package var bytes: [UInt8]
    /// The path that the todo had then; the file's own path if it counts as unchanged.
    package var path: String?
    /// The top-level fields whose values might be git's, so that each of them is a conflict.
    package var asked: [String]

    package init(bytes: [UInt8], path: String?, asked: [String] = []) {
        (self.bytes, self.path, self.asked) = (bytes, path, asked)
    }
}

/// Why a todo is held; the names are those in JSON, and the first five those in the journal.
package enum HeldReason: String, Sendable {
    /// Git checked out an older version.
    case olderVersion
    /// The todo was deleted, and git has an older version.
    case deletedTodo
    /// The file was never on the remote, and a checkout of another branch wrote it.
    case notSentYet
    /// Git removed the file.
    case removedByGit
    /// Git failed to answer. This isn't recorded.
    case gitFailed

    /// A guard withholds deletes because there are suspiciously many.
    case manyDeletes
    /// A guard withholds edits because there are suspiciously many.
    case manyEdits
    /// Many files differ from the remote's todos, without a common version.
    case manyDiffer
    /// A git operation, such as a merge, is in progress.
    case gitOperation
    /// The file can't be read as a todo.
    case invalidFile
    /// The file is where todosync doesn't look, or can't look.
    case hiddenFile
    /// The operating system refuses to change the file.
    case fileError
    /// The file or the remote's todo keeps changing.
    case keepsChanging
    /// The next pull applies the remote's change.
    case notApplied
    /// The remote's todo is not valid.
    case invalidRecord
    /// The remote gave no answer, or doesn't allow the change.
    case unanswered

    /// Whether git changed or removed the file.
    package var isOfGit: Bool {
        switch self {
        case .olderVersion, .deletedTodo, .notSentYet, .removedByGit, .gitFailed: true
        case .manyDeletes, .manyEdits, .manyDiffer, .gitOperation, .invalidFile, .hiddenFile, .fileError,
            .keepsChanging, .notApplied, .invalidRecord, .unanswered:
            false
        }
    }

    /// Whether a guard withholds the change until the user allows it.
    package var isOfGuard: Bool { self == .manyDeletes || self == .manyEdits }
}

/// A file that git changed or removed.
package struct HeldFile: Sendable, Hashable {
    package var reason: HeldReason
    /// Git's message if it failed.
    package var problem: String?
    /// Whether git's latest stash has the newest version; this isn't recorded.
    package var isStashed = false
    /// The mark of the file's text; nil if the file is gone.
    package var mark: ContentMark?
    /// The branch where the file last was the newest version; nil for a detached HEAD.
    package var home: String?
    /// The mark of the newest version when git changed or removed the file.
    package var version: ContentMark?

    package init(reason: HeldReason, mark: ContentMark?, home: String?, version: ContentMark?) {
        (self.reason, self.mark, self.home, self.version) = (reason, mark, home, version)
    }
}

/// What git had checked out when the last push, pull or sync of all todos ended.
package struct RecordedHead: Sendable, Hashable {
    /// The branch's full name; nil if HEAD was detached.
    package var branch: String?
    /// The commit's id; nil on a branch without commits.
    package var commit: String?
    /// The length of HEAD's log, in bytes, and its last line.
    package var logLength: Int?
    package var lastLogLine: String
    /// The latest stash's commit; nil if there was none.
    package var stash: String?
    /// The branches on which todos were synced, in the order of their first sync.
    package var branches: [String]

    package init(
        branch: String?, commit: String?, logLength: Int? = nil, lastLogLine: String = "",
        stash: String? = nil,
        branches: [String] = []
    ) {
        (self.branch, self.commit, self.stash, self.branches) = (branch, commit, stash, branches)
        (self.logLength, self.lastLogLine) = (logLength, lastLogLine)
    }
}
