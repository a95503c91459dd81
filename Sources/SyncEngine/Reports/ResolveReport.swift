/// The result of resolving conflicts.
package struct ResolveReport: Sendable {
    package var resolved: [ReportRow] = []
    package var unresolved: [ReportRow] = []
    /// Whether the command was asked to end before all conflicts were resolved.
    package var isStopped = false
    /// The names that people use for the todos.
    package var names = TodoNames()
}
