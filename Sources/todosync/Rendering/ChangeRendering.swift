internal import SyncEngine
internal import WorkingCopy

/// Returns a line for each todo that a command was to change: what became of it, and its text.
///
/// Occurrences that were created or removed along with them follow, with their due dates.
///
/// - Parameter word: what happened to a todo that changed, such as `done`.
func confirmations(_ todos: [EditedTodo], _ word: String, _ style: Style) -> String {
    confirmations(
        todos.map { todo in
            switch todo.kind {
            case .insert: ("next", todo.textWithDue, todo.path)
            case .update: (todo.isChanged ? word : "unchanged", todo.text, todo.path)
            case .delete: ("removed", todo.textWithDue, todo.path)
            }
        }, style)
}

extension EditedTodo {
    /// The text, and when the todo is due.
    var textWithDue: String { text + (due.map { ", due \($0)" } ?? "") }
}

/// Returns a line for each todo: what became of it, and its text, or its path if it has no text.
func confirmations(_ todos: [(word: String, text: String?, path: String)], _ style: Style) -> String {
    let rows = todos.map { todo in
        let text = firstLine(todo.text ?? "")
        return [
            Table.Cell(todo.word), Table.Cell(text.isEmpty ? style.path(todo.path) : text, keeping: .start),
        ]
    }
    return Table(rows: rows).render(style)
}
