public import TodoModel
public import WorkingCopy

/// What a push, a pull or a sync did.
public struct SyncReport: Sendable {
    public var pushed: [SyncedTodo] = []
    public var pulled: [SyncedTodo] = []
    public var merged: [MergedTodo] = []
    /// The todos with values in conflict that were settled as before.
    public var recalled: [RecalledTodo] = []
    /// The open conflicts, those that were open before included.
    public var conflicts: [ConflictedTodo] = []
    public var refused: [RefusedTodo] = []
    public var withheld: WithheldDeletes?
    /// How many operations are still pending, those of conflicted todos included; nil where they were not
    /// counted.
    public var pending: Int? = 0
    /// How many todos have a file in the folder now.
    public internal(set) var todoCount = 0
    /// Invalid files and duplicates that held something up.
    public var invalid: [InvalidFile] = []
    public var duplicates: [DuplicateFile] = []
    /// What could not be done for a single todo and is tried again next time.
    public var postponed: [PostponedTodo] = []
    /// What the disk did not give of the folder's todos; they were left alone.
    public var unreadable: [FileError] = []
    /// Records on the remote that are no valid todos; they are not written to the folder.
    public var unusableRecords: [UnusableRecord] = []
    /// Why an operation got no answer, with the remote's URL; nil where all got one.
    var unanswered: RemoteError?
    /// What stopped the command midway; the rest of the report tells what was done until then.
    ///
    /// `CancellationError` where the command was asked to end.
    public var stop: (any Error)?
    /// What was read of the remote's changes last, and is not brought in.
    public internal(set) var left = Left(count: 0, isAll: false)
    /// Whether it was stopped before it did anything.
    public internal(set) var hasDoneNothing = false

    /// Whether something waits for the user.
    public var needsUser = false

    /// A number of changes.
    public struct Left: Sendable, Hashable {
        public var count: Int
        /// Whether the remote has no more than these.
        public var isAll: Bool
    }
}

/// A todo that was sent or brought in.
public struct SyncedTodo: Sendable, Hashable {
    /// Nil only in a dry run, for a new file that a push would give an id.
    public var id: TodoID?
    public var path: String
    public var operation: OperationKind
}

/// A todo that both sides had changed, merged by the rules.
public struct MergedTodo: Sendable, Hashable {
    public var id: TodoID
    public var path: String
    /// The fields that the merge changed in the file.
    public var fields: [String]
    /// Whether both sides had added comments, which the file now has.
    public var hasCommentsOfBoth = false
}

/// A todo with values in conflict that were settled as before.
public struct RecalledTodo: Sendable, Hashable {
    public var id: TodoID
    public var path: String
    /// The values, as `text` or `place.city`.
    public var fields: [String]
}

/// An operation that the remote does not take.
public struct RefusedTodo: Sendable, Hashable {
    public var id: TodoID
    public var path: String
    /// The status, as HTTP's.
    public var status: Int
    public var message: String
}

/// Deletes that a guard keeps back until the user allows them.
public struct WithheldDeletes: Sendable, Hashable {
    public enum Side: String, Sendable { case local, remote }
    /// The side that the deletes come from.
    public var side: Side
    public var count: Int
    /// How many todos there are.
    public var of: Int
}

/// A todo for which something must wait, and why.
public struct PostponedTodo: Sendable, Hashable {
    public var id: TodoID?
    public var path: String
    public var reason: String
    /// The call to the operating system that failed, if one did.
    public var cause: FileError?
}

/// A record that is no valid todo, and why.
public struct UnusableRecord: Sendable, Hashable {
    public var id: String
    public var reason: String
}
