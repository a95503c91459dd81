internal import SyncEngine
internal import WorkingCopy

/// Returns a line for each todo that a command had to change, with the outcome and the todo's text.
///
/// Occurrences that the command created or removed have lines with their due dates.
///
/// - Parameter word: The first word of a changed todo's line, such as `done`.
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
    /// The todo's text and due date.
    var textWithDue: String { text + (due.map { ", due \($0)" } ?? "") }
}

/// Returns a line for each todo, with the outcome and the todo's text, or its path if it has no text.
func confirmations(_ todos: [(word: String, text: String?, path: String)], _ style: Style) -> String {
    let rows = todos.map { todo in
        let text = firstLine(todo.text ?? "")
        return [
            Table.Cell(todo.word), Table.Cell(text.isEmpty ? style.path(todo.path) : text, keeping: .start),
        ]
    }
    return Table(rows: rows).render(style)
}
