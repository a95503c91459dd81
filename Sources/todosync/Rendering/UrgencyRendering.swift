internal import SyncEngine

/// Returns what `next` prints: each todo's handle, text, reasons, points and path, without columns that don't
/// fit the terminal.
func render(_ todos: [UrgentTodo], _ style: Style) -> String {
    let reasons = todos.map { todo in
        let reasons = todo.urgency.reasons
        let isLate = reasons.contains { $0.kind == .overdue || $0.kind == .dueToday }
        return Table.Cell(reasons.map(\.words).joined(separator: ", "), isLate ? .removed : .changed)
    }
    return FittedTable(
        columns: [
            .init(todos.map { Table.Cell(visible($0.entry.todo.handle ?? ""), .heading) }),
            .init(todos.map { Table.Cell(firstLine($0.entry.text)) }, isFlexible: true),
            .init(reasons),
            .init(todos.map { Table.Cell("(\($0.urgency.points))", .quiet) }, dropped: 2),
            .init(todos.map { Table.Cell(style.path($0.entry.todo.path), .place) }, dropped: 1),
        ]
    ).render(style)
}
