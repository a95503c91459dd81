internal import SyncEngine

/// Returns a line for each todo that a command was to change: what became of it, and its text.
///
/// - Parameter word: what happened to a todo that changed, such as `done`.
func confirmations(_ todos: [EditedTodo], _ word: String, _ style: Style) -> String {
    confirmations(todos.map { ($0.isChanged ? word : "unchanged", $0.text, $0.path) }, style)
}

/// Returns a line for each todo: what became of it, and its text, or its path if it has no text.
func confirmations(_ todos: [(word: String, text: String?, path: String)], _ style: Style) -> String {
    let rows = todos.map { todo in
        let text = firstLine(todo.text ?? "")
        return [Table.Cell(todo.word), Table.Cell(text.isEmpty ? style.path(todo.path) : text)]
    }
    return Table(rows: rows, flexibleColumn: 1).render(style)
}
