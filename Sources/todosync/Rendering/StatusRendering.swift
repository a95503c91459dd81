internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// Returns a status as human-readable text.
///
/// - Parameter now: The time as an RFC 3339 string; nil to leave out times.
func render(_ report: StatusReport, now: String? = nil, _ style: Style) -> String {
    var sections = [ReportSection(head: remoteLine(report, style) + syncLine(report, now: now, style))]
    // A todo in conflict is also pending, but a push doesn't send it.
    let conflicted = Set(report.conflicts.map(\.id))
    let sendable = report.pending.filter { todo in !(todo.id.map(conflicted.contains) ?? false) }
    let withheld = Set(report.held.filter { $0.reason.isOfGuard && $0.operation != nil }.map(\.id))
    let isWithheld = { (todo: ReportRow) in todo.id.map(withheld.contains) ?? false }
    sections.append(
        section(
            "Pending:", hint: "run \"todosync push\" to send them", style,
            lines: table(sendable.filter { !isWithheld($0) }, report.names, style)))
    sections.append(conflictSection(report.conflicts, report.names, style))
    let needsAnswer = report.held.ofGit.needUser(report.leavesHeld)
    sections.append(
        section(
            "Held:", hint: needsAnswer ? Advice.held : nil, style,
            lines: lines(aboutWaiting: report.held.waiting, style).map { "  \($0)\n" }
                + Table(
                    rows: report.held.ofGit.map {
                        report.names.cells($0.id, $0.path, style) + [Table.Cell($0.words, .quiet)]
                    }, indentation: 2
                ).lines(style)))
    for changes in report.held.withheld {
        let todos = sendable.filter { isWithheld($0) && $0.operation == changes.change }
        sections.append(
            section(
                "Held by a guard:", hint: changes.advice, style,
                lines: ["  \(changes.words)\n"]
                    + (changes.side == .local ? table(todos, report.names, style) : [])))
    }
    sections.append(
        section(
            "Invalid files:", hint: "they are not synced until you fix them", style,
            lines: report.invalid.map { "  " + $0.line(style) + "\n" }))
    sections.append(duplicateSection(report.duplicates, style))
    sections.append(copySection(report.copies, style))
    sections.append(
        section(
            "Fields with unexpected values:",
            hint: "they are kept and synced, but list ignores them",
            style,
            lines: report.oddities.map { "  \(style.path($0.path)): \(visible($0.expectation))\n" }))
    sections.append(
        section(
            "Keys that look alike:",
            hint: "they differ only in Unicode form, but are two keys; rename or remove one", style,
            lines: report.lookalikes.map { "  \(style.path($0.path)): \($0.words)\n" }))
    if style.isVerbose {
        sections.append(ignoredSection(report.ignored, style))
        sections.append(
            section(
                "Files with several names (hard links):",
                hint: "a command that changes such a file leaves its other names as they are", style,
                lines: report.hardLinks.map { "  \(style.path($0))\n" }))
    }
    if let progress = report.gitProgress {
        sections.append(ReportSection(head: fitted(progress.words, width: style.width) + "\n"))
        let open = progress.unmerged.compactMap { file in
            file.state.words.map { "  \(style.path(file.path)): \($0)\n" }
        }
        let resolved = progress.unmerged.filter { $0.state == .resolved }
        sections.append(
            section(
                "Not merged by git:", hint: Advice.unmerged, style, lines: open))
        sections.append(
            section(
                "Resolved, but still unmerged in git:", hint: Advice.resolvedUnmerged, style,
                lines: resolved.map { "  \(style.path($0.path))\n" }))
    }
    if report.lacksMergeDriver {
        sections.append(ReportSection(head: fitted(Advice.missingMergeDriver, width: style.width) + "\n"))
    }
    if report.isClean { sections.append(ReportSection(head: "nothing pending, no conflicts\n")) }
    return Screenful(style).joined(sections)
}

private func remoteLine(_ report: StatusReport, _ style: Style) -> String {
    guard let remote = report.remote else {
        return "Remote: none (run \"todosync remote add origin URL\" to add one)\n"
    }
    return "Remote: \(visible(remote))\n"
}

/// Returns a line about the last sync; empty if none is recorded.
private func syncLine(_ report: StatusReport, now: String?, _ style: Style) -> String {
    if report.isCloneIncomplete {
        let line = "The clone is incomplete; run \"todosync pull\" here to continue it"
        return style.paint(line, .changed) + "\n"
    }
    guard report.remote != nil, let time = report.lastSync, let now else { return "" }
    guard let age = Age(of: time, now: now) else { return "Last synced at \(visible(time))\n" }
    if !age.isOverAWeek { return "Last synced \(age.words)\n" }
    let line = "Last synced \(age.words); run \"todosync sync\" to see what is new"
    return style.paint(line, .changed) + "\n"
}

private func table(_ pending: [ReportRow], _ names: TodoNames, _ style: Style) -> [String] {
    let rows = pending.map { todo -> [Table.Cell] in
        var path = style.path(todo.path)
        if let previousPath = todo.previousPath { path = "\(style.path(previousPath)) -> \(path)" }
        return [Table.Cell(operationWord(todo), todo.operation?.paint)]
            + names.cells(todo.id, todo.path, shownPath: path, style)
            + [Table.Cell(changedParts(todo), .quiet)]
    }
    return Table(rows: rows, indentation: 2).lines(style)
}

private func operationWord(_ todo: ReportRow) -> String {
    todo.previousPath != nil && todo.fields.isEmpty ? "moved" : todo.operation?.word ?? ""
}

private func changedParts(_ todo: ReportRow) -> String {
    guard todo.operation == .update else { return "" }
    if todo.fields.isEmpty { return todo.previousPath == nil ? "comments or layout" : "" }
    return todo.fields.map(visible).joined(separator: ", ")
}

private func conflictSection(
    _ conflicts: [ConflictedTodo], _ names: TodoNames, _ style: Style
) -> ReportSection {
    let rows = conflicts.map { conflict in
        names.cells(conflict.id, conflict.path, style)
            + [Table.Cell(conflict.explanation + conflict.laterChange + conflict.stateOfFile)]
    }
    return section(
        "Conflicts:", hint: Advice.about(conflicts, style), style,
        lines: Table(rows: rows, indentation: 2).lines(style))
}

private func duplicateSection(_ duplicates: [DuplicateFile], _ style: Style) -> ReportSection {
    let hints = [
        (false, "run \"todosync add FILE\" to give the file a new id"),
        (true, "run \"todosync rm FILE\" to remove a file of git's"),
    ]
    let lines = duplicates.map { file in
        let note = file.comesFromGit ? "; git has the todo in this file, too" : ""
        return "  \(style.path(file.path)): \(style.path(file.keptBy)) keeps the id\(note)\n"
    }
    return section(
        "Files with a duplicate id:",
        hint: hints.filter { comesFromGit, _ in duplicates.contains { $0.comesFromGit == comesFromGit } }.map(
            \.1
        )
        .joined(separator: "; "),
        style, lines: lines)
}

private func ignoredSection(_ files: [IgnoredFile], _ style: Style) -> ReportSection {
    let rows = files.map { [Table.Cell(style.path($0.path)), Table.Cell(visible($0.reason.words), .quiet)] }
    return section(
        "Ignored:", hint: nil, style, lines: Table(rows: rows, indentation: 2).lines(style))
}

/// Returns a section, or an empty one if there are no lines.
///
/// - Parameter lines: The lines, each with a line feed.
func section(_ title: String, hint: String?, _ style: Style, lines: [String]) -> ReportSection {
    guard !lines.isEmpty else { return ReportSection(head: "") }
    return ReportSection(
        head: style.paint(title, .heading) + "\n"
            + (hint.map { fitted("  (\($0))", width: style.width) + "\n" } ?? ""),
        lines: lines)
}

extension Lookalike {
    /// The keys, each with its ASCII spelling in YAML and its line.
    fileprivate var words: String {
        enumeration(keys.map { "\(visible($0.name)) (\(inASCII($0.name)), line \($0.line))" })
    }
}

/// Returns a text as a double-quoted scalar that shows non-ASCII characters by their code points.
private func inASCII(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> String in
        if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
        if scalar.isASCII { return "\(scalar)" }
        let width = scalar.value > 0xFFFF ? 8 : 4
        return (width == 8 ? "\\U" : "\\u") + scalar.value.hexadecimal(width: width, uppercase: true)
    }
    return "\"" + scalars.joined() + "\""
}

/// Returns the line for a shell's prompt; empty if there is nothing to report.
func render(_ glance: Glance, now: String) -> String {
    var parts: [String] = []
    if glance.hasMore {
        parts.append("\(glance.pending)+ pending")
    } else if glance.pending > 0 {
        parts.append("\(glance.pending) pending")
    }
    if glance.conflicts > 0 { parts.append(counted(glance.conflicts, "conflict")) }
    if glance.waiting > 0 { parts.append("\(glance.waiting) held") }
    if let age = glance.lastSync.flatMap({ Age(of: $0, now: now) }) {
        parts.append("synced \(age.short)")
    }
    return parts.isEmpty ? "" : parts.joined(separator: ", ") + "\n"
}
