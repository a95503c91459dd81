public import TodoModel
public import WorkingCopy

/// What stands between a working directory and its remote, and what the user should look at.
public struct StatusReport: Sendable {
    /// The remote's URL.
    public var remote: String?
    public var pending: [PendingTodo] = []
    public var conflicts: [ConflictedTodo] = []
    public var invalid: [InvalidFile] = []
    public var duplicates: [DuplicateFile] = []
    public var leftAlone: [LeftAlone] = []
    /// The deletes that a guard keeps back, the local ones last.
    public var withheld: [WithheldDeletes] = []
    /// Conventional fields that hold another kind of value.
    public var oddities: [Oddity] = []
    /// Keys that differ in their Unicode form only.
    public var lookalikes: [Lookalike] = []

    public var isClean: Bool {
        pending.isEmpty && conflicts.isEmpty && invalid.isEmpty && duplicates.isEmpty
    }
}

/// A pending operation: what a push would send for one todo.
public struct PendingTodo: Sendable, Hashable {
    public var id: TodoID?
    /// The file's path; of a deleted todo the one it had.
    public var path: String
    public var operation: OperationKind
    /// The top-level fields that the operation is about.
    public var fields: [String]
    /// Of a renamed todo the path it had.
    public var previousPath: String?
}

public enum OperationKind: String, Sendable {
    case insert, update, delete
}

/// A todo that both sides changed so that the user must choose.
public struct ConflictedTodo: Sendable, Hashable {
    public var id: TodoID
    public var path: String
    public var fields: [String]
    public var kind: ConflictKind
    /// Whether the file still has markers.
    public var hasMarkers: Bool
    /// The values in conflict, as `text` or `place.city`, that can be settled as before.
    public var remembered: [String] = []
    /// Whether a dry run tells of it: there is no conflict yet.
    public var isForeseen = false
    /// Whether the file is gone; that is the answer "delete" once the user says so.
    public var isFileGone = false
    /// Whether the file was not found and may be there: it is ignored, hidden, behind a link or unreadable.
    public var isFileUnseen = false
}

/// A file that should be a todo and can't be read as one.
public struct InvalidFile: Sendable, Hashable {
    public var path: String
    public var problem: TodoProblem
}

/// A file with an id that another file has, too.
public struct DuplicateFile: Sendable, Hashable {
    public var id: TodoID
    public var path: String
    /// The file that keeps the id.
    public var keptBy: String
}

/// Keys of one mapping in a todo's file that look alike and are not the same.
public struct Lookalike: Sendable, Hashable {
    public var id: TodoID?
    public var path: String
    public var keys: [LookalikeKeys.Key]
}

/// A conventional field with another kind of value than the convention's.
public struct Oddity: Sendable, Hashable {
    public var path: String
    public var field: String
    /// What the field should hold, in words.
    public var expectation: String
}
