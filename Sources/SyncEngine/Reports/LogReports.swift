package import LosslessYAML
package import ThreeWayMerge
package import TodoModel
package import WorkingCopy

/// An operation as the log tells it.
package struct LogEntry: Sendable, Hashable {
    package var operation: String
    /// An RFC 3339 time, for people.
    package var time: String
    package var command: String
    package var todos: [TodoChange]
    /// Whether it did not come to its end.
    package var isInterrupted: Bool
    /// The operation that it takes back.
    package var undoes: String?
}

/// What an undo did.
package struct UndoReport: Sendable {
    /// The operation that was taken back; nil if there is none left.
    package var operation: LogEntry?
    package var undone: [UndoneTodo] = []
    /// Todos of the operation that were left as they are, and why.
    package var refused: [RefusedUndo] = []
}

/// A todo whose file is as it was before the operation, but for what was changed since.
package struct UndoneTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    package var change: OperationKind
}

/// A todo that an undo left as it is, and why.
package struct RefusedUndo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    package var reason: String
    /// The call to the operating system that failed, if one did.
    package var cause: FileError?
}

/// How the last merge of a todo came out.
package struct Explanation: Sendable {
    package var id: TodoID
    package var path: String
    /// The operation that merged; nil if the log knows of no merge.
    package var operation: LogEntry?
    package var outcome: Outcome?
    /// Whether the conflict that it ended in is still open.
    package var isOpen = false
    /// The side on which the todo was gone; nil where both had it.
    package var deletingSide: Side?
    /// The fields whose base, local and remote values differ.
    package var fields: [ExplainedField] = []
    /// What one side renamed or moved and the other edited.
    package var relocations: [Relocation] = []
    /// The comments that a side added or removed.
    package var comments: [ExplainedComment] = []

    package enum Outcome: String, Sendable {
        /// Only the remote had changed it.
        case pulled
        case merged
        case conflict
        case deleted
    }
}

/// What a merge decided about one field.
package struct ExplainedField: Sendable, Hashable {
    package var decision: FieldDecision
    /// What the field was in the file that the merge wrote; nil if it was gone.
    package var result: Value?
}

/// What a merge did to one comment.
package struct ExplainedComment: Sendable, Hashable {
    package var change: CommentChange
    /// Whether it was in the file that the merge wrote, in a block or not.
    package var isKept: Bool
}
