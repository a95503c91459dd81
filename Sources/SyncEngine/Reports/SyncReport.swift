internal import TodoModel
package import WorkingCopy

/// The result of a push, a pull or a sync.
package struct SyncReport: Sendable {
    package var pushed: [ReportRow] = []
    package var pulled: [ReportRow] = []
    package var merged: [ReportRow] = []
    /// The todos with conflicting values that remembered resolutions resolved.
    package var recalled: [ReportRow] = []
    /// The todos whose conflict the handler decided, wholly or in part.
    package var handled: [ReportRow] = []
    /// Why the handler failed to decide a todo's conflict.
    var handlerProblems: [TodoID: HandlerProblem] = [:]
    /// The open conflicts, including those that were already open.
    package var conflicts: [ConflictedTodo] = []
    package var refused: [ReportRow] = []
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

    /// Returns the todos of operations that the guard holds.
    func holding(_ operations: [PendingOperation]) -> [HeldTodo] {
        holding(operations.map { ($0.id, $0.path) })
    }

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
