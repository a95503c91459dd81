internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// Returns what a push, pull or sync did, as human-readable text: a line for each todo, then a summary.
func render(_ report: SyncReport, isDryRun: Bool, _ style: Style) -> String {
    renderRows(report, isDryRun: isDryRun, style) + summary(report, isDryRun: isDryRun) + "\n"
}

/// Returns a line for each todo that a push, pull or sync changed.
func renderRows(_ report: SyncReport, isDryRun: Bool, _ style: Style) -> String {
    let rows = SyncRows(names: report.names, style: style)
    return Table.limited(
        [
            Table.Limited(report.pushed, style) { rows.synced(isDryRun ? "would push" : "pushed", $0) },
            Table.Limited(report.pulled, style) { rows.synced(isDryRun ? "would pull" : "pulled", $0) },
            Table.Limited(report.merged, style) { rows.merged(isDryRun ? "would merge" : "merged", $0) },
            Table.Limited(report.recalled, style) {
                rows.resolved(isDryRun ? "would resolve" : "resolved", $0, "as before")
            },
            Table.Limited(report.handled, style) { rows.resolved("resolved", $0, "by merge.handler") },
        ], style)
}

/// The lines of a report about single todos.
private struct SyncRows {
    let names: TodoNames
    let style: Style

    func synced(_ word: String, _ todo: ReportRow) -> [Table.Cell] {
        var parts = todo.fields.map(visible)
        if todo.hasFields, parts.isEmpty { parts = ["comments, layout or path"] }
        return row(word, todo, parts.joined(separator: ", "))
    }

    func merged(_ word: String, _ todo: ReportRow) -> [Table.Cell] {
        var parts = todo.fields.map(visible)
        if todo.notes.contains(.commentsOfBoth) { parts.append("comments of both sides") }
        if parts.isEmpty { parts.append("comments or layout") }
        return row(word, todo, todo.isDelete ? "" : parts.joined(separator: ", "))
    }

    func resolved(_ word: String, _ todo: ReportRow, _ how: String) -> [Table.Cell] {
        row(word, todo, "\(todo.fields.map(visible).joined(separator: ", ")) \(how)")
    }

    private func row(_ word: String, _ todo: ReportRow, _ remark: String) -> [Table.Cell] {
        [Table.Cell(word), Table.Cell(todo.operation?.word ?? "", todo.operation?.paint)]
            + names.cells(todo.id, todo.path, style) + [Table.Cell(remark, .quiet, keeping: .start)]
    }
}

private func summary(_ report: SyncReport, isDryRun: Bool) -> String {
    if isDryRun { return "dry run: nothing was changed" }
    var parts: [String] = []
    if !report.pushed.isEmpty { parts.append("\(report.pushed.count.grouped) pushed") }
    if !report.pulled.isEmpty { parts.append("\(report.pulled.count.grouped) pulled") }
    if !report.merged.isEmpty { parts.append("\(report.merged.count.grouped) merged") }
    if !report.recalled.isEmpty { parts.append("\(report.recalled.count.grouped) resolved as before") }
    if !report.handled.isEmpty { parts.append("\(report.handled.count.grouped) resolved by merge.handler") }
    if !report.conflicts.isEmpty { parts.append(counted(report.conflicts.count, "conflict")) }
    if !report.refused.isEmpty { parts.append("\(report.refused.count.grouped) refused") }
    let held = Set(report.held.map { $0.id?.string ?? $0.path })
    if !held.isEmpty { parts.append("\(held.count.grouped) held") }
    // Todos in conflict and held operations are also pending, but they are already reported.
    let unsent = Set(report.held.filter { $0.operation != nil }.map { $0.id?.string ?? $0.path })
    let reported = Set(report.conflicts.map(\.id.string)).union(unsent).count
    if let all = report.pending, case let pending = all - reported, pending > 0 {
        parts.append("\(pending.grouped) pending")
    }
    if parts.isEmpty {
        parts.append(report.stop == nil && !report.needsUser ? "everything up to date" : "nothing done")
    }
    return parts.joined(separator: ", ")
}
