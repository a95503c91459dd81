public import TodoModel
public import WorkingCopy

/// What a resolve did.
public struct ResolveReport: Sendable {
    public var resolved: [ResolvedTodo] = []
    public var unresolved: [UnresolvedTodo] = []
    /// Whether the command was asked to end before all were settled.
    public var isStopped = false
}

/// A conflict that is settled, and with what.
public struct ResolvedTodo: Sendable, Hashable {
    public enum Answer: String, Sendable { case file, local, remote, base, remembered }
    public var id: TodoID
    public var path: String
    public var used: Answer
    /// The values that were settled as before, as `text` or `place.city`.
    public var remembered: [String] = []
}

/// A conflict that is still open, and why.
public struct UnresolvedTodo: Sendable, Hashable {
    public var id: TodoID
    public var path: String
    /// The values that were settled as before, as `text` or `place.city`, though others are still open.
    public var remembered: [String] = []
    /// In words, with line and column where there is a place: what is wrong and what to do.
    public var reason: String
    public var line: Int?
    public var column: Int?
    /// The call to the operating system that failed, if one did.
    public var cause: FileError?
}
