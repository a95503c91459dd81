internal import SyncEngine
internal import Synchronization
internal import ThreeWayMerge
internal import WorkingCopy

/// The question that the user answers at the terminal for each conflict.
final class ConflictPrompt: Sendable {
    private let terminal: Terminal
    private let editor: Editor
    private let process: ProcessSurroundings
    /// The user's text for each question, so that they can correct it if it wasn't accepted.
    private let drafts = Mutex<[String: [UInt8]]>([:])

    private init(terminal: Terminal, process: ProcessSurroundings) {
        self.terminal = terminal
        self.process = process
        editor = Editor(environment: process.environment)
    }

    /// Returns a prompt at the terminal of a session.
    ///
    /// - Throws: A ``Failure`` if there is no terminal.
    static func atTerminal(of session: Session) throws -> ConflictPrompt {
        guard let terminal = Terminal(session.process) else {
            throw Failure(
                .usage, "can't ask without a terminal",
                hint: "use --on-conflict markers, local or remote, "
                    + "or \"todosync resolve\" without --interactive")
        }
        return ConflictPrompt(terminal: terminal, process: session.process)
    }

    /// Asks until there is an answer.
    ///
    /// The end of the input cancels, and so does Ctrl-C; the answers that were given before are applied.
    @Sendable func ask(_ question: ConflictQuestion) throws -> ConflictAnswer {
        if Interruption.status != nil { return .cancel }
        terminal.say(render(question))
        let isKnown = question.remembered != nil
        let again = isKnown ? "[a]gain as before, " : ""
        while true {
            switch terminal.ask("use [l]ocal, use [r]emote, \(again)[e]dit or [c]ancel? ")?.lowercased() {
            case "l", "local": return .useLocal
            case "r", "remote": return .useRemote
            case "a" where isKnown, "again" where isKnown: return .useRemembered
            case "e", "edit":
                if let lines = try edited(question) { return .edited(lines) }
                terminal.say("the text still has conflict markers and was not used")
            case nil, "c", "cancel": return .cancel
            default: terminal.say("type l, r, \(isKnown ? "a, " : "")e or c")
            }
        }
    }

    /// Opens both sides in the editor; returns nil if conflict markers remain.
    private func edited(_ question: ConflictQuestion) throws -> [UInt8]? {
        let key = "\(question.path)\u{0}\(question.number)"
        let draft = question.problem == nil ? nil : drafts.withLock { $0[key] }
        let bothSides = ConflictedText(pieces: [.block(question.block)]).text(style: .merge)
        let file = try TemporaryFile(draft ?? bothSides, environment: process.environment)
        defer { file.remove() }
        do {
            try editor.edit(file.path)
        } catch {
            // The signal that asked this command to end has ended the editor, too.
            if Interruption.status != nil { return nil }
            throw error
        }
        let lines = try file.read()
        drafts.withLock { $0[key] = lines }
        do {
            return try ConflictedText.read(lines) == nil ? lines : nil
        } catch {
            return nil
        }
    }
}

/// Returns a conflict's question as human-readable text, with the lines of each side.
func render(_ question: ConflictQuestion) -> String {
    var lines: [String] = []
    if question.isAskedAgain { lines.append("The remote has changed again; this is its new value.") }
    if let problem = question.problem { lines.append("The edit can't be used: \(visible(problem))") }
    let which = question.count > 1 ? " (\(question.number) of \(question.count))" : ""
    let (local, remote) = question.labels?.sides ?? ("local", "remote")
    lines.append("Conflict \(question.kind.rawValue) in \(visible(question.path))\(which)")
    lines += ["\(local):"] + indented(question.block.local)
    lines += ["\(remote):"] + indented(question.block.remote)
    if let remembered = question.remembered { lines += ["as before:"] + indented(remembered) }
    return lines.joined(separator: "\n")
}

private func indented(_ side: [UInt8]) -> [String] {
    guard !side.isEmpty else { return ["    (deleted)"] }
    var lines = visibleLines(side).split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    return lines.map { "    \($0)" }
}
