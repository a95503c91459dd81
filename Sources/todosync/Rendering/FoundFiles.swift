internal import LosslessYAML
internal import SyncEngine
internal import WorkingCopy

/// The numbers of todos and other YAML files in a new working directory.
struct FoundFiles: Sendable {
    let todos: Int
    /// Files that should be todos but can't be read as todos.
    let invalid: Int
    /// Other YAML files.
    let others: Int

    init(todos: Int, invalid: Int, others: Int) {
        (self.todos, self.invalid, self.others) = (todos, invalid, others)
    }

    init(_ report: StatusReport) {
        // A new todo with conflict markers is pending, too.
        let todos = Set((report.pending.map(\.path) + report.conflicts.map(\.path)).map(ByteKey.init))
        self.init(
            todos: todos.count, invalid: report.invalid.count,
            others: report.ignored.count { $0.reason == .noTodo })
    }

    /// The line that `init` prints; nil if the folder has no YAML files.
    var line: String? {
        var parts = todos > 0 ? [counted(todos, "todo")] : []
        if invalid > 0 {
            let kind = invalid == 1 ? "a todo" : "todos"
            parts.append("\(counted(invalid, "file")) that can't be read as \(kind)")
        }
        if others > 0 { parts.append("\(counted(others, "other YAML file"))") }
        guard !parts.isEmpty else { return nil }
        let isNarrow = invalid + others == 0
        return "found " + parts.joined(separator: ", ")
            + (isNarrow ? "" : "; use --only or .todosyncignore to exclude files")
    }
}
