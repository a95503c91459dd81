package import TodoModel
package import WorkingCopy

/// What a resolve did.
package struct ResolveReport: Sendable {
    package var resolved: [ResolvedTodo] = []
    package var unresolved: [UnresolvedTodo] = []
    /// Whether the command was asked to end before all were settled.
    package var isStopped = false
}

/// A conflict that is settled, and with what.
package struct ResolvedTodo: Sendable, Hashable {
    package enum Answer: String, Sendable { case file, local, remote, base, remembered }
    package var id: TodoID
    package var path: String
    package var used: Answer
    /// The values that were settled as before, as `text` or `place.city`.
    package var remembered: [String] = []
}

/// A conflict that is still open, and why.
package struct UnresolvedTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    /// The values that were settled as before, as `text` or `place.city`, though others are still open.
    package var remembered: [String] = []
    /// In words, with line and column where there is a place: what is wrong and what to do.
    package var reason: String
    package var line: Int?
    package var column: Int?
    /// The call to the operating system that failed, if one did.
    package var cause: FileError?
}
