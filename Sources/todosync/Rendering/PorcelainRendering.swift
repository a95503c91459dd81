internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// The stable formats of `status` for programs, besides JSON.
enum PorcelainFormat: String, CaseIterable {
    case v1
}

/// Returns what `status --porcelain=v1` prints: two letters, a space and the path for each todo, by path.
///
/// The first letter is the pending operation, and the second is what needs the user's attention. Paths start
/// at the root of the working directory.
///
/// - Parameter endsInNul: Whether NUL ends each path and no path is quoted; a previous path then follows the
///   new one.
func porcelain(_ report: StatusReport, endsInNul: Bool) -> String {
    // Paths that differ only in their Unicode form are different files.
    var lines: [ByteKey: PorcelainLine] = [:]
    func note(_ path: String, _ letter: Character) {
        lines[ByteKey(path), default: PorcelainLine(path)].need = letter
    }
    for todo in report.pending {
        var line = PorcelainLine(todo.path)
        line.pending = letter(todo)
        line.previousPath = todo.previousPath
        lines[ByteKey(todo.path)] = line
    }
    // The form never changes: what the remote deleted and a guard holds has no letter.
    for todo in report.held where !todo.reason.isOfGuard || todo.operation != nil {
        note(todo.path, letter(todo))
    }
    for file in report.copies { note(file.path, "+") }
    for file in report.duplicates { note(file.path, "=") }
    for file in report.invalid { note(file.path, "I") }
    for todo in report.conflicts { note(todo.path, "U") }
    return lines.values.sorted(byBytesOf: \.path).map { $0.text(endsInNul: endsInNul) }.joined()
}

private func letter(_ todo: HeldTodo) -> Character {
    if todo.reason.isOfGuard { return "W" }
    if !todo.reason.isOfGit { return "!" }
    return !todo.isElsewhere ? "H" : todo.isAbsent ? "-" : "B"
}

private func letter(_ todo: ReportRow) -> Character {
    switch todo.operation {
    case .insert: "A"
    case .update: todo.previousPath == nil ? "M" : "R"
    case .delete: "D"
    case nil: " "
    }
}

private struct PorcelainLine {
    let path: String
    var previousPath: String?
    var pending: Character = " "
    var need: Character = " "

    init(_ path: String) { self.path = path }

    func text(endsInNul: Bool) -> String {
        let code = "\(pending)\(need) "
        if endsInNul { return code + path + "\0" + (previousPath.map { $0 + "\0" } ?? "") }
        let old = previousPath.map { cQuoted($0) + " -> " } ?? ""
        return code + old + cQuoted(path) + "\n"
    }
}

/// Returns a path, quoted as in C if it has a space, a quote, a backslash or an unprintable character.
private func cQuoted(_ path: String) -> String {
    var quoted = ""
    for scalar in path.unicodeScalars {
        switch scalar {
        case "\"", "\\": quoted += "\\\(scalar)"
        case "\n": quoted += "\\n"
        case "\t": quoted += "\\t"
        case _ where visible(String(scalar)) != String(scalar):
            for byte in String(scalar).utf8 {
                let digits = String(byte, radix: 8)
                quoted += "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
            }
        default: quoted.unicodeScalars.append(scalar)
        }
    }
    return quoted == path && !path.utf8.contains(UInt8(ascii: " ")) ? path : "\"\(quoted)\""
}
