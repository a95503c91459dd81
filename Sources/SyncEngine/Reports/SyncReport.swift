package import TodoModel
package import WorkingCopy

/// The result of a push, a pull or a sync.
package struct SyncReport: Sendable {
    package var pushed: [SyncedTodo] = []
    package var pulled: [SyncedTodo] = []
    package var merged: [MergedTodo] = []
    /// The todos with conflicting values that remembered resolutions resolved.
    package var recalled: [SettledTodo] = []
    /// The todos whose conflict the handler decided, wholly or in part.
    package var handled: [SettledTodo] = []
    /// Why the handler failed to decide a todo's conflict.
    var handlerProblems: [TodoID: HandlerProblem] = [:]
    /// The open conflicts, including those that were already open.
    package var conflicts: [ConflictedTodo] = []
    package var refused: [RefusedTodo] = []
    /// The todos that weren't sent or changed, and why.
    package var held: [HeldTodo] = []
    /// Whether todos held because of git need no action from the user (`git.forward: never`).
    package var leavesHeld = false
    /// The git operation in progress, if files mustn't be changed during it.
    package var gitProgress: GitProgress?
    /// The number of operations still pending, including those of conflicted todos; nil if they weren't
    /// counted.
    package var pending: Int? = 0
    /// The number of todos that have a file in the folder now.
    package internal(set) var todoCount = 0
    /// The invalid files that were found; like duplicates and copies, empty if the user named todos.
    package var invalid: [InvalidFile] = []
    package var duplicates: [DuplicateFile] = []
    package var copies: [CopiedFile] = []
    /// Disk errors while reading the folder's todos; these todos aren't changed.
    package var unreadable: [FileError] = []
    /// Records on the remote that aren't valid todos; they aren't written to the folder.
    package var unusableRecords: [UnusableRecord] = []
    /// The names that people use for the todos.
    package var names = TodoNames()
    /// The last texts of the todos that were deleted.
    var formerTexts: [TodoID: [UInt8]] = [:]
    /// Why an operation got no answer, with the remote's URL; nil if all were answered.
    var unanswered: RemoteError?
    /// The error that stopped the command midway; the rest of the report covers what was done until then.
    ///
    /// It is a `CancellationError` if the command was asked to end.
    package var stop: (any Error)?
    /// The remote's changes that were read last but not applied.
    package internal(set) var left = Left(count: 0, isAll: false)
    /// Whether the command was stopped before it did anything.
    package internal(set) var hasDoneNothing = false

    /// Whether something waits for the user.
    package var needsUser = false

    /// A number of changes.
    package struct Left: Sendable, Hashable {
        package var count: Int
        /// Whether these are all of the remote's changes.
        package var isAll: Bool
    }
}

/// A todo that was pushed or pulled.
package struct SyncedTodo: Sendable, Hashable {
    /// The todo's id; nil only in a dry run, for a new file that a push would give an id.
    package var id: TodoID?
    package var path: String
    package var operation: OperationKind
    /// The texts of a pulled update.
    var update: Update?

    /// The top-level fields that a pulled update changed in the file; empty if it changed only comments,
    /// layout or the path.
    package var fields: [String] { update.map { changedFields(from: $0.old, to: $0.new) } ?? [] }

    /// Whether the remote's change to the todo's text was pulled.
    package var isPulledUpdate: Bool { update != nil }

    /// The texts before and after an update, which are compared on demand.
    struct Update: Sendable, Hashable {
        var old: [UInt8]
        var new: [UInt8]
    }
}

/// A todo that both sides changed and the rules merged.
package struct MergedTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    /// The fields that the merge changed in the file, or that `merge.fields` kept unchanged.
    package var fields: [String]
    /// Whether both sides added comments, which the file now has.
    package var hasCommentsOfBoth = false
    /// Whether the result deletes the todo; an answer to a conflict can be a deletion.
    package var isDeleted = false
}

/// A todo with conflicting values that were resolved without the user.
package struct SettledTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    /// The values, such as `text` or `place.city`.
    package var fields: [String]
}

/// An operation that the remote refused.
package struct RefusedTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    /// The HTTP status.
    package var status: Int
    /// The remote's message; nil if it gave none.
    package var message: String?
}

/// Changes that a guard withholds until the user allows them.
package struct WithheldChanges: Sendable, Hashable {
    package enum Side: String, Sendable { case local, remote }
    /// The probable cause of the changes.
    package enum Cause: Sendable, Hashable {
        /// No field changed, so a program has probably rewritten the files.
        case formatter
        /// Git has switched to a different commit since the last command.
        case git
    }

    /// The side that the changes come from.
    package var side: Side
    package var count: Int
    /// The total number of todos.
    package var of: Int
    /// The kind of all the changes: a delete or an update.
    package var change: OperationKind = .delete
    package var cause: Cause?

    /// The order of reports: the least urgent changes come first.
    var urgency: Int { change == .delete ? side == .local ? 2 : 1 : 0 }

    /// Returns the todos that the guard holds.
    func holding(_ todos: some Sequence<(id: TodoID, path: String)>) -> [HeldTodo] {
        todos.map { id, path in
            HeldTodo(
                id: id, path: path, reason: change == .delete ? .manyDeletes : .manyEdits, withheld: self,
                operation: side == .local ? change : nil)
        }
    }
}

/// A record that isn't a valid todo, and why.
package struct UnusableRecord: Sendable, Hashable {
    package var id: String
    package var reason: String
}
