internal import SyncEngine

/// Returns what `next` prints: each todo's handle, text, the reasons for its place, its points and its path.
func render(_ todos: [UrgentTodo], _ style: Style) -> String {
    let rows = todos.map { todo -> [Table.Cell] in
        let reasons = todo.urgency.reasons
        let isLate = reasons.contains { $0.kind == .overdue || $0.kind == .dueToday }
        return [
            Table.Cell(visible(todo.entry.todo.handle ?? ""), .heading),
            Table.Cell(firstLine(todo.entry.text)),
            Table.Cell(reasons.map(\.words).joined(separator: ", "), isLate ? .removed : .changed),
            Table.Cell("(\(todo.urgency.points))", .quiet),
            Table.Cell(style.path(todo.entry.todo.path), .place),
        ]
    }
    return Table(rows: rows, flexibleColumn: 1).render(style)
}
