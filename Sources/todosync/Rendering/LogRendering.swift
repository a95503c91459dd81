internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// Returns the operation log as human-readable text: a line for each operation, and below it what the
/// operation did to which todo.
func render(_ entries: [LogEntry], _ style: Style) -> String {
    if entries.isEmpty { return "no operations\n" }
    return entries.map { entry in
        line(entry, style) + entry.todosTable(style)
    }.joined(separator: "\n")
}

private func line(_ entry: LogEntry, _ style: Style) -> String {
    let note = entry.isInterrupted ? "  (interrupted)" : ""
    return style.paint(entry.shortID, .place) + "  " + style.paint(visible(entry.time), .quiet) + "  "
        + visible(entry.command) + note + "\n"
}

extension LogEntry {
    /// The beginning of the id that names the operation.
    fileprivate var shortID: String { visible(String(operation.prefix(8))) }

    fileprivate func todosTable(_ style: Style) -> String {
        let shown = style.isVerbose || todos.count <= shownAtMost + 1 ? todos.count : shownAtMost
        let rows = todos.prefix(shown).map { todo in
            [
                Table.Cell(todo.state.rawValue), Table.Cell(todo.change.word, todo.change.paint),
                Table.Cell(style.path(todo.path)),
            ]
        }
        let text = Table(rows: Array(rows), indentation: 4).render(style)
        return shown == todos.count ? text : text + "    … and \(todos.count - shown) more\n"
    }
}

/// How many todos of an operation are named unless the user asked for all.
private let shownAtMost = 20

/// Returns what an undo reverted, as human-readable text.
func render(_ report: UndoReport, _ style: Style) -> String {
    guard let operation = report.operation else { return "nothing to undo\n" }
    let rows = report.undone.map { todo in
        [
            Table.Cell("undone"), Table.Cell(todo.change.word, todo.change.paint),
            Table.Cell(style.path(todo.path)),
        ]
    }
    let name = "\(operation.shortID) (\(visible(operation.command)))"
    if rows.isEmpty {
        return report.refused.isEmpty ? "nothing from \(name) is left to undo in the files\n" : ""
    }
    return Table(rows: rows).render(style) + "undid \(name)\n"
}

/// Returns the lines that report which todos an undo left unchanged.
///
/// - Parameter isNewest: whether the user named no operation, so that the next undo meets the same one.
func warnings(_ report: UndoReport, isNewest: Bool, _ style: Style) -> [String] {
    let lines = report.refused.map { "not undone: \(style.path($0.path)): \(visible($0.reason))" }
    guard isNewest, report.undone.isEmpty, !lines.isEmpty else { return lines }
    return lines + ["hint: run \"todosync undo OPERATION\" to undo another one; \"todosync log\" lists them"]
}

/// Returns what a restore did, as human-readable text.
func rendered(restored path: String, _ change: OperationKind?, _ style: Style) -> String {
    guard let change else { return "\(style.path(path)) is already as it was then\n" }
    return "restored  \(change.word)  \(style.path(path))\n"
}
