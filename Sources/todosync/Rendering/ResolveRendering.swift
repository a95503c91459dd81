internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values
internal import WorkingCopy

/// Returns the resolved conflicts, or those that `--abort` aborted, as human-readable text.
func render(_ report: ResolveReport, isAbort: Bool = false, _ style: Style) -> String {
    let rows = report.resolved.map { todo in
        [Table.Cell(isAbort ? "aborted" : "resolved", .added)]
            + report.names.cells(todo.id, todo.path, style)
            + [Table.Cell(isAbort ? "as it was before the merge" : words(todo), .quiet)]
    }
    var text = Table(rows: rows).render(style)
    for command in [ReportRow.GitCommand.add, .rm] {
        text += gitHint(command, report.resolved.filter { $0.gitCommand == command }.map(\.path), style)
    }
    return text.isEmpty && report.unresolved.isEmpty ? "no conflicts\n" : text
}

/// Returns the line with the git command that marks conflicts as resolved; empty without paths.
func gitHint(_ command: ReportRow.GitCommand, _ paths: [String], _ style: Style) -> String {
    let words = paths.map { " " + shellQuoted(style.typedPath($0)) }.joined()
    return paths.isEmpty ? "" : "  (run \"git \(command.rawValue)\(words)\")\n"
}

/// Returns the lines that report the conflicts that are still open, with the reasons.
func warnings(_ report: ResolveReport, _ style: Style) -> [String] {
    report.unresolved.map { todo in
        var location = style.path(todo.path)
        if let line = todo.line { location += ":\(line)" }
        if todo.line != nil, let column = todo.column { location += ":\(column)" }
        let outcome = todo.notes.contains(.partlyResolved) ? "partly resolved" : "unresolved"
        return "\(outcome): \(location): \(visible(todo.reason))"
    }
}

private func words(_ todo: ReportRow) -> String {
    switch todo.used {
    case .local where todo.isDelete: "with the local side, which deleted it"
    case .remote where todo.isDelete: "with the remote side, which deleted it"
    case _ where todo.isDelete: "deleted"
    case .file, nil: "as it is in the file"
    case .local: "with the local side"
    case .remote: "with the remote side"
    case .base: "with the base version"
    case .union: "with both sides"
    case .remembered: "\(todo.fields.map(visible).joined(separator: ", ")) as before"
    }
}

/// Returns the remembered resolutions of conflicts, as human-readable text.
func render(_ resolutions: [ListedResolution], _ present: Present, _ style: Style) -> String {
    if resolutions.isEmpty { return "no resolutions\n" }
    let rows = resolutions.map { listed in
        let resolution = listed.resolution
        let value = resolution.result.map { visible(String(decoding: JSON.write($0), as: UTF8.self)) }
        return [
            Table.Cell(style.path(listed.path), keeping: .end),
            Table.Cell(visible(resolution.path.joined(separator: "."))),
            Table.Cell(value ?? "(removed)", value == nil ? .quiet : nil, keeping: .start),
            Table.Cell(visible(present.localTime(resolution.time)), .quiet),
        ]
    }
    return Table(rows: rows).render(style)
}

/// Returns the outcome of adopting copies that other tools made, as human-readable text.
func render(_ report: AdoptReport, isDryRun: Bool, _ style: Style) -> String {
    if report.adopted.isEmpty, report.unresolved.isEmpty { return "no copies\n" }
    let rows = report.adopted.map { copy in
        [
            Table.Cell(copy.word(isDryRun: isDryRun), copy.paint), Table.Cell(style.path(copy.path)),
            Table.Cell(copy.explanation(style), .quiet),
        ]
    }
    return Table(rows: rows).render(style) + (isDryRun ? "dry run: nothing was changed\n" : "")
}

/// Returns the lines that report the remaining copies and the todos with new conflict markers.
func warnings(_ report: AdoptReport, isDryRun: Bool, _ style: Style) -> [String] {
    var lines = report.unresolved.map { copy in
        var location = style.path(copy.path)
        if let line = copy.line { location += ":\(line)" }
        if copy.line != nil, let column = copy.column { location += ":\(column)" }
        return "unresolved: \(location): \(visible(copy.reason))"
    }
    let conflicted = Set(report.adopted.filter { $0.outcome == .conflict }.map(\.original))
    if !conflicted.isEmpty, !isDryRun {
        lines.append("hint: " + Advice.resolveMarkers(Advice.name(of: Array(conflicted), style)))
    }
    return lines
}

extension AdoptReport {
    /// Whether the user has something left to do.
    var needsUser: Bool { !unresolved.isEmpty || adopted.contains { $0.outcome == .conflict } }
}

extension AdoptedCopy {
    fileprivate func word(isDryRun: Bool) -> String {
        switch outcome {
        case .removed: isDryRun ? "would remove" : "removed"
        case .merged: isDryRun ? "would merge" : "merged"
        case .restored: isDryRun ? "would restore" : "restored"
        case .conflict: "conflict"
        }
    }

    fileprivate var paint: Style.Paint {
        switch outcome {
        case .removed, .conflict: .removed
        case .merged: .changed
        case .restored: .added
        }
    }

    fileprivate func explanation(_ style: Style) -> String {
        let name = style.path(original)
        let changed = fields.isEmpty ? "comments or layout" : fields.map(visible).joined(separator: ", ")
        return switch outcome {
        case .removed: "nothing in it is new to \(name)"
        case .merged: "into \(name): \(changed)"
        case .restored: "as \(name)"
        case .conflict:
            "with \(name): both changed \(conflictingFields.isEmpty ? "it" : enumeration(conflictingFields.map(visible)))"
        }
    }
}

// MARK: Copies that wait

/// Returns the section of a status about copies.
func copySection(_ copies: [CopiedFile], _ style: Style) -> ReportSection {
    let lines = copies.map { copy in
        "  \(style.path(copy.path)): a copy of \(style.path(copy.original))"
            + (copy.isOrphan ? ", which is gone" : "") + "\n"
    }
    return section("Copies that other tools made:", hint: Advice.adopt, style, lines: lines)
}

/// Returns the lines that warn about copies after a push or sync.
func warnings(about copies: [CopiedFile], _ style: Style) -> [String] {
    if copies.isEmpty { return [] }
    return copies.map {
        "copy: \(style.path($0.path)): a copy of \(style.path($0.original)), made by another tool"
    }
        + ["hint: " + Advice.adopt]
}

extension Advice {
    static let adopt =
        "run \"todosync resolve --adopt\" to merge copies into their todos, or \"todosync add FILE\" to keep one as a separate todo"
}
