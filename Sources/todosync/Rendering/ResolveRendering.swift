internal import SyncEngine
internal import TodoModel
internal import Values

/// Returns the resolved conflicts, or those that `--abort` aborted, as human-readable text.
func render(_ report: ResolveReport, isAbort: Bool = false, _ style: Style) -> String {
    let rows = report.resolved.map { todo in
        [Table.Cell(isAbort ? "aborted" : "resolved", .added)]
            + report.names.cells(todo.id, todo.path, style)
            + [Table.Cell(isAbort ? "as it was before the merge" : words(todo), .quiet)]
    }
    var text = Table(rows: rows).render(style)
    for command in [ResolvedTodo.GitCommand.add, .rm] {
        text += gitHint(command, report.resolved.filter { $0.gitCommand == command }.map(\.path), style)
    }
    return text.isEmpty && report.unresolved.isEmpty ? "no conflicts\n" : text
}

/// Returns the line with the git command that marks conflicts as resolved; empty without paths.
func gitHint(_ command: ResolvedTodo.GitCommand, _ paths: [String], _ style: Style) -> String {
    let words = paths.map { " " + shellQuoted(style.typedPath($0)) }.joined()
    return paths.isEmpty ? "" : "  (run \"git \(command.rawValue)\(words)\")\n"
}

/// Returns the lines that report the conflicts that are still open, with the reasons.
func warnings(_ report: ResolveReport, _ style: Style) -> [String] {
    report.unresolved.map { todo in
        var place = style.path(todo.path)
        if let line = todo.line { place += ":\(line)" }
        if todo.line != nil, let column = todo.column { place += ":\(column)" }
        let outcome = todo.isPartlyResolved ? "partly resolved" : "unresolved"
        return "\(outcome): \(place): \(visible(todo.reason))"
    }
}

private func words(_ todo: ResolvedTodo) -> String {
    switch todo.used {
    case .local where todo.isDeleted: "with the local side, which deleted it"
    case .remote where todo.isDeleted: "with the remote side, which deleted it"
    case _ where todo.isDeleted: "deleted"
    case .file: "as it is in the file"
    case .local: "with the local side"
    case .remote: "with the remote side"
    case .base: "with the base version"
    case .union: "with both sides"
    case .remembered: "\(todo.remembered.map(visible).joined(separator: ", ")) as before"
    }
}
