package import TodoModel

/// The todos that a push would send, for filters that ask for them.
package struct PendingTodos: Sendable {
    /// The ids, including those of conflicted todos; a new file without an id is pending, too.
    package let ids: Set<TodoID>

    package init(in workspace: Workspace) throws {
        ids = Set(try Snapshot(of: workspace).pendingIDs().compactMap(\.self))
    }
}
