package import LosslessYAML
package import ThreeWayMerge
package import TodoModel
package import WorkingCopy

/// An operation in the log.
package struct LogEntry: Sendable, Hashable {
    package var operation: String
    /// An RFC 3339 time, for people to read.
    package var time: String
    package var command: String
    package var todos: [TodoChange]
    /// Whether the operation was interrupted.
    package var isInterrupted: Bool
    /// The operation that this one undoes; a redo undoes an undo.
    package var undoes: String?
    /// The last operation that undoes this one, wholly or in part, and isn't undone itself; nil if there
    /// isn't one.
    package var undoneBy: String?
}

/// The result of an undo, a redo, or a restoration of the folder.
package struct UndoReport: Sendable {
    /// The operation that was undone or redone or, for a restoration, the first one after the restored state;
    /// nil if there isn't one.
    package var operation: LogEntry?
    package var undone: [ReportRow] = []
    /// Todos of the operation that weren't changed back, and why.
    package var refused: [ReportRow] = []
    /// Todos that an editor created and that the operation or a newer one sent; they stay.
    package var created: [ReportRow] = []
    /// Whether the user was asked and declined.
    package var isCancelled = false
    /// The user's newest operation, if it is newer than the undo that would otherwise be redone.
    package var newer: LogEntry?
    /// The names that people use for the todos.
    package var names = TodoNames()
}

/// The result of a merge of a todo.
package struct Explanation: Sendable {
    package var id: TodoID
    package var path: String
    /// The operation that merged the todo; nil if the log has no merge of it.
    package var operation: LogEntry?
    package var outcome: Outcome?
    /// The path of the copy, made by another tool, that was merged as the remote side; nil if there was no
    /// copy.
    package var copy: String?
    /// Whether the resulting conflict is still open.
    package var isOpen = false
    /// The side that deleted the todo; nil if both sides had it.
    package var deletingSide: Side?
    /// Who decided whether to keep a todo that one side deleted; nil if nobody had to.
    package var choice: ExplainedChoice?
    /// The fields whose base, local and remote values differ.
    package var fields: [ExplainedField] = []
    /// The fields that one side renamed or moved and the other edited.
    package var relocations: [Relocation] = []
    /// The comments that a side added or removed.
    package var comments: [ExplainedComment] = []
    /// The earlier merges of the todo by the same operation, in order.
    package var earlier: [Explanation] = []

    package enum Outcome: String, Sendable {
        /// Only the remote changed it.
        case pulled
        case merged
        case conflict
        case deleted
    }
}

/// A merge's decision about one field.
package struct ExplainedField: Sendable, Hashable {
    package var decision: FieldDecision
    /// The field's value in the merged file; nil if it has none.
    package var result: Value?
    /// Who chose the value where no rule could; nil if nobody did, or the log doesn't show who.
    package var chooser: LoggedChoice.Chooser?
    /// The side whose value was chosen; nil if the result merges both sides or is a different value.
    package var side: Side?
}

/// A decision between two sides.
package struct ExplainedChoice: Sendable, Hashable {
    package var chooser: LoggedChoice.Chooser
    package var side: Side
}

/// What happened to one comment in a merge.
package struct ExplainedComment: Sendable, Hashable {
    package var change: CommentChange
    /// Whether the merged file has the comment, inside or outside a conflict block.
    package var isKept: Bool
}
