internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// Returns a human-readable list: for each todo the path that names it, its text, and its other fields.
///
/// - Parameter marksDone: whether the list has both open and done todos, which have to be told apart.
func render(_ entries: [ListEntry], marksDone: Bool, _ style: Style) -> String {
    let rows = entries.map { entry -> [Table.Cell] in
        let mark = entry.isComplete ? "[x] " : "[ ] "
        return [
            Table.Cell(style.path(entry.todo.path), .place),
            Table.Cell((marksDone ? mark : "") + firstLine(entry.text), entry.isComplete ? .quiet : nil),
            Table.Cell(entry.dueText.isEmpty ? "" : "due \(visible(entry.dueText))", .changed),
            Table.Cell(entry.priority ?? "", entry.priority == "high" ? .heading : nil),
            Table.Cell(entry.tags.map(visible).joined(separator: ", "), .quiet),
            Table.Cell(
                entry.todo.mark, .removed),
        ]
    }
    return Table(rows: rows, flexibleColumn: 1).render(style)
}

extension ListedTodo {
    /// What is unusual about the todo.
    fileprivate var mark: String {
        isConflicted ? "conflict" : isBehind ? "behind" : isHeld ? "held" : ""
    }
}
