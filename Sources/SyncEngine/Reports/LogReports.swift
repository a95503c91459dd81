public import LosslessYAML
public import ThreeWayMerge
public import TodoModel
public import WorkingCopy

/// An operation as the log tells it.
public struct LogEntry: Sendable, Hashable {
    public var operation: String
    /// An RFC 3339 time, for people.
    public var time: String
    public var command: String
    public var todos: [TodoChange]
    /// Whether it did not come to its end.
    public var isInterrupted: Bool
    /// The operation that it takes back.
    public var undoes: String?
}

/// What an undo did.
public struct UndoReport: Sendable {
    /// The operation that was taken back; nil if there is none left.
    public var operation: LogEntry?
    public var undone: [UndoneTodo] = []
    /// Todos of the operation that were left as they are, and why.
    public var refused: [RefusedUndo] = []
}

/// A todo whose file is as it was before the operation, but for what was changed since.
public struct UndoneTodo: Sendable, Hashable {
    public var id: TodoID
    public var path: String
    public var change: TodoChange.Change
}

/// A todo that an undo left as it is, and why.
public struct RefusedUndo: Sendable, Hashable {
    public var id: TodoID
    public var path: String
    public var reason: String
    /// The call to the operating system that failed, if one did.
    public var cause: FileError?
}

/// How the last merge of a todo came out.
public struct Explanation: Sendable {
    public var id: TodoID
    public var path: String
    /// The operation that merged; nil if the log knows of no merge.
    public var operation: LogEntry?
    public var outcome: Outcome?
    /// Whether the conflict that it ended in is still open.
    public var isOpen = false
    /// The side on which the todo was gone; nil where both had it.
    public var deletingSide: Side?
    /// The fields whose base, local and remote values differ.
    public var fields: [ExplainedField] = []
    /// What one side renamed or moved and the other edited.
    public var relocations: [Relocation] = []
    /// The comments that a side added or removed.
    public var comments: [ExplainedComment] = []

    public enum Outcome: String, Sendable {
        /// Only the remote had changed it.
        case pulled
        case merged
        case conflict
        case deleted
    }
}

/// What a merge decided about one field.
public struct ExplainedField: Sendable, Hashable {
    public var decision: FieldDecision
    /// What the field was in the file that the merge wrote; nil if it was gone.
    public var result: Value?
}

/// What a merge did to one comment.
public struct ExplainedComment: Sendable, Hashable {
    public var change: CommentChange
    /// Whether it was in the file that the merge wrote, in a block or not.
    public var isKept: Bool
}
