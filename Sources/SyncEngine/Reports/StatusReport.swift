package import TodoModel
package import WorkingCopy

/// What stands between a working directory and its remote, and what the user should look at.
package struct StatusReport: Sendable {
    /// The remote's URL.
    package var remote: String?
    package var pending: [PendingTodo] = []
    package var conflicts: [ConflictedTodo] = []
    package var invalid: [InvalidFile] = []
    package var duplicates: [DuplicateFile] = []
    package var leftAlone: [LeftAlone] = []
    /// The deletes that a guard keeps back, the local ones last.
    package var withheld: [WithheldDeletes] = []
    /// Conventional fields that hold another kind of value.
    package var oddities: [Oddity] = []
    /// Keys that differ in their Unicode form only.
    package var lookalikes: [Lookalike] = []

    package var isClean: Bool {
        pending.isEmpty && conflicts.isEmpty && invalid.isEmpty && duplicates.isEmpty
    }
}

/// A pending operation: what a push would send for one todo.
package struct PendingTodo: Sendable, Hashable {
    package var id: TodoID?
    /// The file's path; of a deleted todo the one it had.
    package var path: String
    package var operation: OperationKind
    /// The top-level fields that the operation is about.
    package var fields: [String]
    /// Of a renamed todo the path it had.
    package var previousPath: String?
}

/// A todo that both sides changed so that the user must choose.
package struct ConflictedTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    package var fields: [String]
    package var kind: ConflictKind
    /// Whether the file still has markers.
    package var hasMarkers: Bool
    /// The values in conflict, as `text` or `place.city`, that can be settled as before.
    package var remembered: [String] = []
    /// Whether a dry run tells of it: there is no conflict yet.
    package var isForeseen = false
    /// Whether the file is gone; that is the answer "delete" once the user says so.
    package var isFileGone = false
    /// Whether the file was not found and may be there: it is ignored, hidden, behind a link or unreadable.
    package var isFileUnseen = false
}

/// A file that should be a todo and can't be read as one.
package struct InvalidFile: Sendable, Hashable {
    package var path: String
    package var problem: TodoProblem
}

/// A file with an id that another file has, too.
package struct DuplicateFile: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    /// The file that keeps the id.
    package var keptBy: String
}

/// Keys of one mapping in a todo's file that look alike and are not the same.
package struct Lookalike: Sendable, Hashable {
    package var id: TodoID?
    package var path: String
    package var keys: [LookalikeKeys.Key]
}

/// A conventional field with another kind of value than the convention's.
package struct Oddity: Sendable, Hashable {
    package var path: String
    package var field: String
    /// What the field should hold, in words.
    package var expectation: String
}
