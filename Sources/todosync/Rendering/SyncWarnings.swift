internal import SyncEngine
internal import TodoModel
internal import Values

/// Returns the lines that report what needs the user's attention after a push, pull or sync.
func warnings(_ report: SyncReport, _ style: Style) -> [String] {
    var lines = report.conflicts.map {
        "conflict: \(style.path($0.path)): \($0.explanation)\($0.laterChange)"
    }
    if !report.conflicts.isEmpty { lines.append("hint: " + Advice.about(report.conflicts, style)) }
    lines += report.invalid.map { "invalid: " + $0.line(style) }
    lines += report.duplicates.map { warning($0, style) }
    lines += warnings(about: report.copies, style)
    lines += report.refused.map {
        let words = RemoteError.words(ofStatus: $0.status, message: $0.message)
        return "refused: \(style.path($0.path)): \(visible(words))"
    }
    lines += waiting(report.postponed, style)
    lines += report.unusableRecords.map {
        "warning: a todo on the remote can't be used here: \(visible($0.id)): \(visible($0.reason))"
    }
    if report.manyDiffer {
        lines.append(
            "hint: the waiting files were not changed; use --on-conflict remote or local to take one side, or "
                + "--on-conflict markers to write both into each file")
    }
    if !report.leavesHeld { lines += warnings(aboutHeld: report.held, style) }
    if let progress = report.gitProgress, report.hasWaited {
        lines += ["waiting: \(progress.words)", "hint: " + Advice.duringGit]
    }
    if let withheld = report.withheldEdits { lines += warning(withheld) }
    if let withheld = report.withheld { lines += warning(withheld) }
    return lines
}

/// Returns a line for each waiting todo, or one line for many todos that wait for the same reason.
func waiting(_ postponed: [PostponedTodo], _ style: Style) -> [String] {
    let counts = Dictionary(postponed.map { ($0.reason, 1) }, uniquingKeysWith: +)
    var reported: Set<String> = []
    return postponed.compactMap { todo in
        let count = counts[todo.reason] ?? 1
        guard count > 3 else { return "waiting: \(style.path(todo.path)): \(visible(todo.reason))" }
        return reported.insert(todo.reason).inserted
            ? "waiting: \(counted(count, "todo")): \(visible(todo.reason))" : nil
    }
}

private func warning(_ duplicate: DuplicateFile, _ style: Style) -> String {
    let (path, other) = (style.path(duplicate.path), style.path(duplicate.keptBy))
    let typed = shellQuoted(style.typedPath(duplicate.path))
    return duplicate.comesFromGit
        ? "duplicate: \(path): git has the todo in this file, too, but \(other) keeps the id; "
            + "run \"todosync rm \(typed)\" to remove the file"
        : "duplicate: \(path): \(other) has the same id; run \"todosync add \(typed)\" to give it a new one"
}

private func warning(_ withheld: WithheldChanges) -> [String] {
    ["withheld: \(withheld.words)", "hint: " + withheld.advice]
}
