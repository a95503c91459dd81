package import TodoModel
package import WorkingCopy

/// The result of resolving conflicts.
package struct ResolveReport: Sendable {
    package var resolved: [ResolvedTodo] = []
    package var unresolved: [UnresolvedTodo] = []
    /// Whether the command was asked to end before all conflicts were resolved.
    package var isStopped = false
    /// The names that people use for the todos.
    package var names = TodoNames()
}

/// A conflict that was resolved, and how.
package struct ResolvedTodo: Sendable, Hashable {
    package enum Answer: String, Sendable { case file, local, remote, base, union, remembered }
    package var id: TodoID
    package var path: String
    package var used: Answer
    /// The values that remembered resolutions resolved, such as `text` or `place.city`.
    package var remembered: [String] = []
    /// Whether the resolution deleted the todo.
    package var isDeleted = false
    /// The command that marks the conflict as resolved in git; nil if git doesn't wait for that.
    package var gitCommand: GitCommand?

    /// A git command that takes the todo's path.
    package enum GitCommand: String, Sendable { case add, rm }
}

/// A conflict that is still open, and why.
package struct UnresolvedTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    /// The values that remembered resolutions resolved, such as `text` or `place.city`, while others are
    /// still open.
    package var remembered: [String] = []
    /// What is wrong and what to do, in words; `line` and `column` give the position if it is known.
    package var reason: String
    /// Whether a part of the conflict was resolved, and the rest is in the file.
    package var isPartlyResolved = false
    package var line: Int?
    package var column: Int?
    /// The failed call to the operating system, if there was one.
    package var cause: FileError?
}
