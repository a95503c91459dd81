internal import SyncEngine

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
