package import TodoModel
package import WorkingCopy

/// What a push, a pull or a sync did.
package struct SyncReport: Sendable {
    package var pushed: [SyncedTodo] = []
    package var pulled: [SyncedTodo] = []
    package var merged: [MergedTodo] = []
    /// The todos with values in conflict that were settled as before.
    package var recalled: [RecalledTodo] = []
    /// The open conflicts, those that were open before included.
    package var conflicts: [ConflictedTodo] = []
    package var refused: [RefusedTodo] = []
    package var withheld: WithheldDeletes?
    /// How many operations are still pending, those of conflicted todos included; nil where they were not
    /// counted.
    package var pending: Int? = 0
    /// How many todos have a file in the folder now.
    package internal(set) var todoCount = 0
    /// Invalid files and duplicates that held something up.
    package var invalid: [InvalidFile] = []
    package var duplicates: [DuplicateFile] = []
    /// What could not be done for a single todo and is tried again next time.
    package var postponed: [PostponedTodo] = []
    /// What the disk did not give of the folder's todos; they were left alone.
    package var unreadable: [FileError] = []
    /// Records on the remote that are no valid todos; they are not written to the folder.
    package var unusableRecords: [UnusableRecord] = []
    /// Why an operation got no answer, with the remote's URL; nil where all got one.
    var unanswered: RemoteError?
    /// What stopped the command midway; the rest of the report tells what was done until then.
    ///
    /// `CancellationError` where the command was asked to end.
    package var stop: (any Error)?
    /// What was read of the remote's changes last, and is not brought in.
    package internal(set) var left = Left(count: 0, isAll: false)
    /// Whether it was stopped before it did anything.
    package internal(set) var hasDoneNothing = false

    /// Whether something waits for the user.
    package var needsUser = false

    /// A number of changes.
    package struct Left: Sendable, Hashable {
        package var count: Int
        /// Whether the remote has no more than these.
        package var isAll: Bool
    }
}

/// A todo that was sent or brought in.
package struct SyncedTodo: Sendable, Hashable {
    /// Nil only in a dry run, for a new file that a push would give an id.
    package var id: TodoID?
    package var path: String
    package var operation: OperationKind
}

/// A todo that both sides had changed, merged by the rules.
package struct MergedTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    /// The fields that the merge changed in the file.
    package var fields: [String]
    /// Whether both sides had added comments, which the file now has.
    package var hasCommentsOfBoth = false
}

/// A todo with values in conflict that were settled as before.
package struct RecalledTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    /// The values, as `text` or `place.city`.
    package var fields: [String]
}

/// An operation that the remote does not take.
package struct RefusedTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    /// The status, as HTTP's.
    package var status: Int
    package var message: String
}

/// Deletes that a guard keeps back until the user allows them.
package struct WithheldDeletes: Sendable, Hashable {
    package enum Side: String, Sendable { case local, remote }
    /// The side that the deletes come from.
    package var side: Side
    package var count: Int
    /// How many todos there are.
    package var of: Int
}

/// A todo for which something must wait, and why.
package struct PostponedTodo: Sendable, Hashable {
    package var id: TodoID?
    package var path: String
    package var reason: String
    /// The call to the operating system that failed, if one did.
    package var cause: FileError?
}

/// A record that is no valid todo, and why.
package struct UnusableRecord: Sendable, Hashable {
    package var id: String
    package var reason: String
}
