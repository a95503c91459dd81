/// The result of a purge or of its undo.
package struct PurgeReport: Sendable {
    /// The todos whose files were removed or brought back, in the order of their paths.
    package var todos: [ReportRow] = []
    /// The done todos whose files weren't changed.
    package var left: [ReportRow] = []
    /// The number of done todos that stay because the log doesn't show how long they have been done.
    package var undated = 0
    /// Whether the user declined.
    package var isCancelled = false
    /// The number of todos that are left because the command was asked to end.
    package var stopped = 0
    /// The names that people use for the todos.
    package var names = TodoNames()
}
