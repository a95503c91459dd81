internal import LosslessYAML
internal import SyncEngine
internal import ThreeWayMerge
internal import TodoModel
internal import Values

// Todos whose files git might have changed.

extension HeldTodo {
    /// The maximum number of fields whose values are shown.
    private static let manyFields = 3

    /// The reason and the values that differ, after the todo's path.
    var words: String {
        if isElsewhere, isAbsent { return "not on this branch" }
        guard !differences.isEmpty else { return visible(message) }
        let shown = differences.prefix(Self.manyFields)
        let local = shown.map { "\(visible($0.name)): \(inWords($0.local))" }
        let newest = shown.map { "\(visible($0.name)): \(inWords($0.newest))" }
        let rest = differences.count > shown.count ? ", …" : ""
        return "\(message) (" + local.joined(separator: ", ") + rest + "; the newest has "
            + newest.joined(separator: ", ") + rest + ")"
    }
}

/// Returns a value on one line, cut to a readable length.
private func inWords(_ value: Value?) -> String {
    guard let value else { return "nothing" }
    let words =
        if case .string(let text) = value { text } else { String(decoding: JSON.write(value), as: UTF8.self) }
    let line = words.split(whereSeparator: \.isNewline).joined(separator: " ")
    return visible(line.count > 40 ? line.prefix(39) + "…" : line)
}

extension Advice {
    static let held =
        "run \"todosync push TODO\" to send a todo as it is, \"todosync discard TODO\" to bring back its "
        + "newest version, or \"todosync sync --newest\" to bring back all newest versions"
    static let newestIsOpened = "git had put an older version in this file; it has the newest one again"
    static let missingMergeDriver =
        ".gitattributes names the merge driver todosync, which this clone doesn't have; "
        + "run \"todosync git-setup\""
    static let unmerged =
        "edit a file and run \"git add\" to keep the todo, or run \"git rm\" to delete it"
    static let resolvedUnmerged = "run \"git add\" to mark them as resolved"
    static let duringGit = "finish or abort it with git, then try again; or use --during-git"
}

extension GitProgress {
    /// The operation in progress and the file that shows it.
    var words: String {
        "git is in the middle of \(operation == "am" ? "an" : "a") \(operation) "
            + "(\(path), written \(ageInWords(age)) ago)"
    }
}

extension UnmergedFile.State {
    /// What is in the file, and why; nil if the user has decided.
    var words: String? {
        switch self {
        case .untouched(let side, isDeletedOnOther: true):
            "it matches \(side.nameInGit); \(side.other.nameInGit) deleted it"
        case .untouched(let side, isDeletedOnOther: false):
            "it matches \(side.nameInGit) and lacks the changes of \(side.other.nameInGit)"
        case .resolved: nil
        case .gone: "its file is gone"
        }
    }
}

extension Side {
    fileprivate var other: Side { self == .local ? .remote : .local }
}

private func ageInWords(_ seconds: Int) -> String {
    switch seconds {
    case ..<120: counted(seconds, "second")
    case ..<7200: counted(seconds / 60, "minute")
    case ..<172_800: counted(seconds / 3600, "hour")
    default: counted(seconds / 86_400, "day")
    }
}

/// Returns the lines that report todos whose files git changed or removed after a push, pull or sync.
func warnings(aboutGit held: [HeldTodo], _ style: Style) -> [String] {
    guard !held.isEmpty else { return [] }
    let shown = style.isVerbose ? held.count : min(held.count, 5)
    var lines = held.prefix(shown).map { "held: \(style.path($0.path)): \($0.words)" }
    if shown < held.count {
        lines.append("held: \(counted(held.count - shown, "more todo")); \"todosync status\" lists them")
    }
    // Elsewhere, there is nothing to decide until git is back.
    return held.allSatisfy(\.isElsewhere) ? lines : lines + ["hint: " + Advice.held]
}

/// Asks the user what to do with held todos; they stay held if the input ends.
func askAboutHeld(_ held: [HeldTodo], at terminal: Terminal, _ style: Style) -> HeldAnswer {
    for todo in held.prefix(20) {
        let stash = todo.isStashed ? "; the latest stash has the newest version" : ""
        terminal.print("\(style.path(todo.path)): \(todo.words)\(stash)")
    }
    if held.count > 20 { terminal.print("… and \(held.count - 20) more") }
    while true {
        let question = "bring back the [n]ewest versions, [s]end these as they are, or [l]eave them? [l] "
        switch terminal.ask(question)?.lowercased() {
        case "n", "newest": return .forward
        case "s", "send": return .send
        case nil, "", "l", "leave": return .leave
        default: terminal.print("type n, s or l")
        }
    }
}
