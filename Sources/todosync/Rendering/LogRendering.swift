internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// Returns the operation log as human-readable text: a line for each operation, followed by its todos.
///
/// - Parameters:
///   - present: The user's clock, which makes the times relative.
///   - isShort: Whether each operation has only one line.
func render(
    _ entries: [LogEntry], _ names: TodoNames, _ present: Present, isShort: Bool = false,
    _ style: Style
) -> String {
    if entries.isEmpty { return "no operations\n" }
    return Screenful(style).list(entries, gap: isShort ? 0 : 1) { entry in
        isShort
            ? shortLine(entry, style) : line(entry, present, style) + entry.todosTable(names, style)
    }
}

private func shortLine(_ entry: LogEntry, _ style: Style) -> String {
    let count = ([counted(entry.todos.count, "todo")] + entry.notes).joined(separator: ", ")
    let row = [
        Table.Cell(entry.shortID, .path), Table.Cell(visible(entry.command), keeping: .start),
        Table.Cell(count, .quiet),
    ]
    return Table(rows: [row]).render(style)
}

private func line(_ entry: LogEntry, _ present: Present, _ style: Style) -> String {
    let note = entry.notes.isEmpty ? "" : "  (\(entry.notes.joined(separator: ", ")))"
    let time = visible(present.localTime(entry.time))
    return style.paint(entry.shortID, .path) + "  " + style.paint(time, .quiet) + "  "
        + visible(entry.command) + note + "\n"
}

extension LogEntry {
    /// The beginning of the id that names the operation.
    fileprivate var shortID: String { Self.short(operation) }

    private static func short(_ operation: String) -> String { visible(String(operation.prefix(8))) }

    /// The operation's outcome and its relation to other operations.
    fileprivate var notes: [String] {
        var notes = isInterrupted ? ["interrupted"] : []
        if let undoes { notes.append("undoes \(Self.short(undoes))") }
        if let undoneBy { notes.append("undone by \(Self.short(undoneBy))") }
        return notes
    }

    /// The operation as messages name it: the beginning of its id, and its command.
    fileprivate var name: String { "\(shortID) (\(visible(command)))" }

    fileprivate func todosTable(_ names: TodoNames, _ style: Style) -> String {
        Table.limited(todos, indentation: 4, style) { todo in
            [Table.Cell(todo.state.rawValue), Table.Cell(todo.change.word, todo.change.paint)]
                + names.cells(todo.id, todo.path, style)
        }
    }
}

/// The commands that change todos back, in the words of their reports.
enum ReversalWords {
    case undo, redo, restore

    fileprivate var verb: String {
        switch self {
        case .undo: "undo"
        case .redo: "redo"
        case .restore: "restore"
        }
    }

    fileprivate var participle: String {
        switch self {
        case .undo: "undone"
        case .redo: "redone"
        case .restore: "restored"
        }
    }

    /// Returns the prompt about the todos that are listed above it.
    func question(_ report: UndoReport) -> String {
        let count = report.undone.count.grouped
        let operation = report.operation?.name ?? ""
        return switch self {
        case .undo, .redo: "\(verb) these \(count) changes of \(operation)? [Y/n] "
        case .restore: "restore these \(count) todos as they were before \(operation)? [Y/n] "
        }
    }

    /// Returns the summary of what was done.
    fileprivate func summary(_ report: UndoReport, _ operation: LogEntry) -> String {
        switch self {
        case .undo: "undid \(operation.name)"
        case .redo: "redid \(operation.name)"
        case .restore:
            "restored \(counted(report.undone.count, "todo")) to the state before \(operation.name)"
        }
    }
}

/// Returns what an undo, a redo or a restore of the folder did, as human-readable text.
///
/// - Parameter listsTodos: Whether each todo has a line.
func render(
    _ report: UndoReport, _ reversal: ReversalWords, isDryRun: Bool, listsTodos: Bool = true, _ style: Style
) -> String {
    guard let operation = report.operation else { return nothing(toDo: reversal, report) }
    if report.undone.isEmpty {
        guard report.refused.isEmpty else { return "" }
        return switch reversal {
        case .undo, .redo: "nothing from \(operation.name) is left to \(reversal.verb) in the files\n"
        case .restore: "everything is already as it was before \(operation.name)\n"
        }
    }
    let summary = isDryRun ? "dry run: nothing was changed" : reversal.summary(report, operation)
    return (listsTodos ? changesTable(report, isPlanned: isDryRun, style) : "") + summary + "\n"
}

private func nothing(toDo reversal: ReversalWords, _ report: UndoReport) -> String {
    guard let newer = report.newer else { return "nothing to \(reversal.verb)\n" }
    return "nothing to redo: \(newer.name) was done after the last undo that is still in effect\n"
}

/// Returns a line for each todo that is changed back: what happens to its file, and which fields change.
///
/// - Parameter isPlanned: Whether the changes are still to be made.
func changesTable(_ report: UndoReport, isPlanned: Bool, _ style: Style) -> String {
    Table.limited(report.undone, style) { todo in
        var path = style.path(todo.path)
        if let previousPath = todo.previousPath { path = "\(style.path(previousPath)) -> \(path)" }
        return [
            Table.Cell(todo.words(isPlanned: isPlanned), todo.operation?.paint)
        ] + report.names.cells(todo.id, todo.path, shownPath: path, style)
            + [Table.Cell(todo.changedParts, .quiet)]
    }
}

extension ReportRow {
    /// Returns words for the change to the file, not for the change that the undone or redone operation made.
    fileprivate func words(isPlanned: Bool) -> String {
        switch operation {
        case .insert: isPlanned ? "would restore" : "restored"
        case .update where previousPath != nil && fields.isEmpty: isPlanned ? "would move" : "moved"
        case .update, nil: isPlanned ? "would change" : "changed"
        case .delete: isPlanned ? "would remove" : "removed"
        }
    }

    fileprivate var changedParts: String {
        if notes.contains(.conflictChanged), fields.isEmpty { return "conflict markers" }
        if operation == .update, fields.isEmpty, previousPath == nil { return "comments or layout" }
        return fields.map(visible).joined(separator: ", ")
    }
}

/// Returns the lines that report the todos that weren't changed back.
///
/// - Parameter hint: The last line if no todo was changed back.
func warnings(
    _ report: UndoReport, _ reversal: ReversalWords, hint: String? = nil, _ style: Style
) -> [String] {
    let lines = report.refused.map {
        "not \(reversal.participle): \(style.path($0.path)): \(visible($0.reason))"
    }
    if report.newer != nil {
        return [
            "hint: run \"todosync undo OPERATION\" with the id of the undo to undo it anyway; "
                + "run \"todosync log\" to list the ids"
        ]
    }
    guard let hint, report.undone.isEmpty, !lines.isEmpty else { return lines }
    return lines + ["hint: \(hint)"]
}

/// Returns what a restore of one todo did, as human-readable text.
func rendered(restored todo: NamedTodo, _ change: OperationKind?, _ style: Style) -> String {
    guard let change else { return "\(todo.words) is already as it was then\n" }
    return confirmations([(change == .delete ? "removed" : "restored", todo.text, todo.path)], style)
}

/// Returns a note about todos that an undo skipped because the user created them with an editor; nil without
/// such todos.
func note(onCreated created: [ReportRow], _ style: Style) -> String? {
    guard let first = created.first else { return nil }
    if created.count == 1 { return "note: \(style.path(first.path)) stays: \(visible(first.reason))" }
    return "note: \(counted(created.count, "todo")) that you created with an editor stay; "
        + "run \"todosync rm TODO\" to delete them"
}
