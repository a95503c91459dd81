internal import SyncEngine
internal import TodoModel
internal import Values
internal import WorkingCopy

/// Returns the lines that report what needs the user's attention after a push, pull or sync.
func warnings(_ report: SyncReport, _ style: Style) -> [String] {
    var lines = report.conflicts.map {
        "conflict: \(style.path($0.path)): \($0.explanation)\($0.laterChange)"
    }
    if !report.conflicts.isEmpty { lines.append("hint: " + Advice.about(report.conflicts, style)) }
    lines += report.invalid.map { "invalid: " + $0.line(style) }
    lines += report.duplicates.map { warning($0, style) }
    lines += warnings(about: report.copies, style)
    lines += report.refused.map { "refused: \(style.path($0.path)): \(visible($0.refusal))" }
    lines += warnings(aboutHeld: report.held, style, leavesGit: report.leavesHeld)
    lines += report.unusableRecords.map {
        "warning: a todo on the remote can't be used here: \(visible($0.id)): \(visible($0.reason))"
    }
    if let progress = report.gitProgress, report.held.contains(where: { $0.reason == .gitOperation }) {
        lines += ["held: \(progress.words)", "hint: " + Advice.duringGit]
    }
    return lines
}

/// Returns the lines that report held todos, except those that a git operation holds up.
///
/// - Parameter leavesGit: Whether todos held because of git need no action.
func warnings(aboutHeld held: [HeldTodo], _ style: Style, leavesGit: Bool = false) -> [String] {
    var lines = lines(aboutWaiting: held.waiting, style).map { "held: " + $0 }
    if held.contains(where: { $0.reason == .manyDiffer }) { lines.append("hint: " + Advice.manyDiffer) }
    if !leavesGit { lines += warnings(aboutGit: held.ofGit, style) }
    for withheld in held.withheld { lines += ["held: \(withheld.words)", "hint: " + withheld.advice] }
    return lines
}

/// Returns a line for each waiting todo, or one line for many todos that wait for the same reason.
func lines(aboutWaiting held: [HeldTodo], _ style: Style) -> [String] {
    let counts = Dictionary(held.map { ($0.message, 1) }, uniquingKeysWith: +)
    var reported: Set<String> = []
    return held.compactMap { todo in
        let count = counts[todo.message] ?? 1
        guard count > 3 else { return "\(style.path(todo.path)): \(visible(todo.message))" }
        return reported.insert(todo.message).inserted
            ? "\(counted(count, "todo")): \(visible(todo.message))" : nil
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
