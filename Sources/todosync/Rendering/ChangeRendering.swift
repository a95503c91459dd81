internal import SyncEngine
internal import WorkingCopy

/// Returns a line for each todo that a command had to change, with the outcome and the todo's text.
///
/// Occurrences that the command created or removed have lines with their due dates.
///
/// - Parameter word: The first word of a changed todo's line, such as `done`.
func confirmations(_ todos: [ReportRow], _ word: String, _ style: Style) -> String {
    confirmations(
        todos.map { todo in
            switch todo.operation {
            case .insert: ("next", todo.textWithDue, todo.path)
            case .update: (word, todo.text, todo.path)
            case .delete: ("removed", todo.textWithDue, todo.path)
            case nil: ("unchanged", todo.text, todo.path)
            }
        }, style)
}

extension ReportRow {
    /// The todo's text and due date.
    var textWithDue: String { (text ?? "") + (due.map { ", due \($0)" } ?? "") }
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

/// Returns a unified diff with visible control characters, in color if the style has color.
func render(diff: [UInt8], _ style: Style) -> String {
    let text = visibleLines(diff)
    guard style.hasColor else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        style.paint(String(line), paint(line))
    }.joined(separator: "\n")
}

private func paint(_ line: Substring) -> Style.Paint? {
    if line.hasPrefix("+++") || line.hasPrefix("---") || line.hasPrefix("diff ") { return .heading }
    return switch line.first {
    case "+": .added
    case "-": .removed
    case "@": .path
    default: nil
    }
}

/// Returns what a purge, or its undo, did, as human-readable text.
func render(_ report: PurgeReport, isUndo: Bool, isDryRun: Bool, _ style: Style) -> String {
    let verb = isUndo ? "bring back" : "purge"
    var text = table(of: report, word: isDryRun ? "would \(verb)" : isUndo ? "brought back" : "purged", style)
    text += Table.limited(report.left, style) { todo in
        [Table.Cell("not purged")] + report.names.cells(todo.id, todo.path, style)
            + [Table.Cell(visible(todo.reason), .quiet)]
    }
    if report.undated > 0 {
        text +=
            "\(counted(report.undated, "done todo")) left out, because the log doesn't show when "
            + "\(report.undated == 1 ? "it was" : "they were") done; without --before, "
            + "\(report.undated == 1 ? "it is" : "they are") purged, too\n"
    }
    if report.todos.isEmpty { return text + "nothing to \(verb)\n" }
    if isDryRun { return text + "dry run: nothing was changed\n" }
    let count = counted(report.todos.count, "todo")
    return text
        + (isUndo
            ? "\(count) brought back\n"
            : "\(count) purged; run \"todosync purge --undo\" to bring \(report.todos.count == 1 ? "it" : "them") back\n")
}

/// Returns a line for each todo that a purge removes or its undo restores.
func table(of report: PurgeReport, word: String, _ style: Style) -> String {
    Table.limited(report.todos, style) { todo in
        [Table.Cell(word)] + report.names.cells(todo.id, todo.path, style)
    }
}
