internal import SyncEngine
internal import Synchronization
internal import ThreeWayMerge
internal import WorkingCopy

/// The prompt that the user answers at the terminal for each conflict.
final class ConflictPrompt: Sendable {
    private let terminal: Terminal
    private let editor: Editor
    private let process: ProcessSurroundings
    private let style: Style
    private let memory = Mutex(Memory())

    private struct Memory {
        /// The last answer that can be given again.
        var last: ConflictAnswer?
        /// Whether the last answer applies to all further conflicts where it is possible.
        var isForAll = false
        /// Whether the user has quit.
        var hasQuit = false
    }

    private init(terminal: Terminal, process: ProcessSurroundings, style: Style) {
        self.terminal = terminal
        self.process = process
        self.style = style
        editor = Editor(process)
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
        return ConflictPrompt(terminal: terminal, process: session.process, style: session.style())
    }

    /// Prompts until there is an answer.
    ///
    /// Ctrl-C and the end of the input quit; earlier answers still apply.
    @Sendable func ask(_ question: ConflictQuestion) throws -> ConflictAnswer {
        let remembered = memory.withLock { $0 }
        if Interruption.status != nil || remembered.hasQuit { return .cancel }
        if remembered.isForAll, let last = remembered.last, last.isPossible(for: question) { return last }
        terminal.print(render(question, style))
        let choices = ConflictChoices(question, last: remembered.last)
        while true {
            guard let choice = choices.choice(terminal.ask(choices.prompt(style))?.lowercased()) else {
                terminal.print(choices.explanation)
                continue
            }
            switch choice {
            case .local: return given(.take(.local))
            case .remote: return given(.take(.remote))
            case .both: return given(.both)
            case .again: return .remembered
            case .rest:
                memory.withLock { $0.isForAll = true }
                if let last = remembered.last, last.isPossible(for: question) { return last }
                terminal.print("the last answer is not possible here")
            case .edit:
                do {
                    return try edited(question)
                } catch let failure as Failure {
                    // The question is repeated, and the answers to other questions are kept.
                    terminal.print(failure.lines.joined(separator: "\n"))
                }
            case .skip: return .cancel
            case .quit:
                memory.withLock { $0.hasQuit = true }
                return .cancel
            }
        }
    }

    private func given(_ answer: ConflictAnswer) -> ConflictAnswer {
        memory.withLock { $0.last = answer }
        return answer
    }

    /// Opens the whole file in the editor.
    private func edited(_ question: ConflictQuestion) throws -> ConflictAnswer {
        let file = try TemporaryFile(question.file, environment: process.environment)
        defer { file.remove() }
        do {
            try editor.edit(file.path)
        } catch {
            if Interruption.status == nil { throw error }
            // The signal that asked this command to end has also ended the editor.
            guard let text = try? file.read(), text != question.file else { return .cancel }
            return .draft(text)
        }
        return .text(try file.read())
    }
}

extension ConflictAnswer {
    /// Returns whether the same answer is possible for a different conflict.
    fileprivate func isPossible(for question: ConflictQuestion) -> Bool {
        switch self {
        case .take(let side): side != .base
        case .both: question.allowsBoth
        case .fields, .remembered, .lines, .text, .draft, .leave, .cancel: false
        }
    }
}

/// The choices that a question offers.
struct ConflictChoices {
    enum Choice: CaseIterable {
        case local, remote, both, again, edit, skip, rest, quit
    }

    private let question: ConflictQuestion
    private let last: ConflictAnswer?
    private let choices: [Choice]

    /// - Parameter last: The last answer that can be given again; nil before the first one.
    init(_ question: ConflictQuestion, last: ConflictAnswer?) {
        (self.question, self.last) = (question, last)
        choices = Choice.allCases.filter { choice in
            switch choice {
            case .both: question.allowsBoth
            case .again: question.remembered != nil
            case .rest: last != nil
            case .local, .remote, .edit, .skip, .quit: true
            }
        }
    }

    /// Returns the prompt with a letter for each choice.
    func prompt(_ style: Style) -> String {
        let prompt = "use " + choices.map(\.label).joined(separator: ", ") + ", or [?] for help?"
        // The user types the answer after the prompt.
        guard let width = style.width, displayWidth(prompt) + 2 > width else { return prompt + " " }
        return wrapped(prompt, width: width - 2).dropLast() + " "
    }

    /// A line about each choice.
    var explanation: String {
        choices.map { "\($0.letter)  \(explanation(of: $0))" }.joined(separator: "\n")
    }

    private func explanation(of choice: Choice) -> String {
        switch choice {
        case .local: effect(of: .local)
        case .remote: effect(of: .remote)
        case .both: "take what both sides have, the local part first"
        case .again: "resolve it as you resolved the same conflict before"
        case .edit where question.kind.deletingSide != nil:
            "edit the whole file in your editor, to keep the todo with other changes"
        case .edit: "edit the whole file in your editor"
        case .skip: "leave this todo as it is; its change stays pending"
        case .rest: "answer this and all later conflicts like the last one: " + effectOfLast
        case .quit: "stop asking; the answers that you gave are kept"
        }
    }

    /// What the last answer does to this conflict.
    private var effectOfLast: String {
        guard let last, last.isPossible(for: question) else { return "not possible here" }
        return switch last {
        case .take(.local): effect(of: .local)
        case .take(.remote): effect(of: .remote)
        default: explanation(of: .both)
        }
    }

    /// Returns the effect of taking a side.
    private func effect(of side: Side) -> String {
        let who = side == .local ? "you" : "the remote"
        if let deleting = question.kind.deletingSide {
            return deleting == side ? "delete the todo, as \(who) did" : "keep the todo as \(who) changed it"
        }
        let lines = side == .local ? question.block.local : question.block.remote
        if lines.isEmpty { return "leave these lines out, as the \(side.rawValue) side does" }
        return side == .local ? "take the local lines" : "take the remote's lines"
    }

    /// Returns the user's choice; nil for any other answer, including a question mark.
    ///
    /// - Parameter answer: The answer in lower case; nil at the end of the input.
    func choice(_ answer: String?) -> Choice? {
        guard let answer else { return .quit }
        return choices.first { [String($0.letter), $0.word].contains(answer) }
    }
}

extension ConflictChoices.Choice {
    fileprivate var letter: Character {
        switch self {
        case .local: "l"
        case .remote: "r"
        case .both: "b"
        case .again: "a"
        case .edit: "e"
        case .skip: "s"
        case .rest: "w"
        case .quit: "q"
        }
    }

    fileprivate var word: String {
        switch self {
        case .local: "local"
        case .remote: "remote"
        case .both: "both"
        case .again: "again"
        case .edit: "edit"
        case .skip: "skip"
        case .rest: "rest"
        case .quit: "quit"
        }
    }

    fileprivate var label: String {
        switch self {
        case .again: "[a]gain as before"
        case .rest: "the rest the same [w]ay"
        case .local, .remote, .both, .edit, .skip, .quit: "[\(letter)]" + word.dropFirst()
        }
    }
}

extension ConflictKind {
    /// The side that deleted the todo; nil if neither did.
    fileprivate var deletingSide: Side? {
        switch self {
        case .editDelete: .remote
        case .deleteEdit: .local
        case .editEdit, .insertInsert, .git: nil
        }
    }
}
