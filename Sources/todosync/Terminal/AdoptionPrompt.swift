/// Asks whether a working directory's first push may write ids into files that todosync didn't create.
///
/// - Throws: A ``Failure`` if the user declines.
func askAboutAdoption(of paths: [String], at terminal: Terminal, _ style: Style) throws {
    let shown = paths.prefix(style.isVerbose ? paths.count : 10)
    var lines = [
        "\(counted(paths.count, "file")) here \(paths.count == 1 ? "is a todo" : "are todos") without an id:"
    ]
    lines += shown.map { "  " + style.path($0) }
    if shown.count < paths.count { lines.append("  and \(paths.count - shown.count) more") }
    terminal.say(lines.joined(separator: "\n"))
    let question =
        "write an id into \(paths.count == 1 ? "it" : "each"), and send \(paths.count == 1 ? "it" : "them")? [Y/n] "
    if terminal.confirms(question) { return }
    if Interruption.status != nil { throw CancellationError() }
    throw Failure(
        .declined, "nothing was changed or sent",
        hint:
            "run \"todosync push TODO\" to send only that todo; to exclude files, list them in .todosyncignore "
            + "or set include in .todosync/config.yaml")
}
