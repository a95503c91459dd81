internal import ArgumentParser
internal import LosslessYAML

/// Finds the completions at the cursor.
struct Completer {
    let line: TypedLine
    let command: TypedCommand
    let values: LiveValues

    /// - Parameter process: This process's surroundings; the folder of `-C` becomes its current directory.
    init(_ line: TypedLine, _ process: ProcessSurroundings) {
        self.line = line
        command = TypedCommand(Array(line.words.dropFirst()))
        values = LiveValues(command, process)
    }

    var completion: Completion {
        if let option = command.pending { return values(of: option, completing: line.last) }
        if line.last.hasPrefix("-"), !command.hasEnded { return .words(optionsOrTerms) }
        if command.positionals.isEmpty, !NamedCommand.below(command.command).isEmpty {
            return .words(names(below: command.command) + (command.name.isEmpty ? [Self.help] : []))
        }
        if command.name.isEmpty, command.positionals.first == "help" { return .words(helpSubjects) }
        return command.positional.map { values(of: $0, completing: line.last) } ?? .nothing
    }

    private static let help = Candidate(value: "help", description: "Explain a command or a topic")

    // MARK: Commands

    private func names(below command: any ParsableCommand.Type) -> [Candidate] {
        NamedCommand.below(command).map { command in
            let abstract = command.abstract
            return Candidate(
                value: command.name,
                description: abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract)
        }
    }

    /// The subcommands of the command named after `help`; without a name, all commands and topics.
    private var helpSubjects: [Candidate] {
        var parent: any ParsableCommand.Type = Todosync.self
        for word in command.positionals.dropFirst() {
            guard let next = NamedCommand.below(parent).first(where: { $0.name == word }) else { return [] }
            parent = next.type
        }
        let topics = HelpTopic.allCases.map { Candidate(value: $0.rawValue, description: $0.summary) }
        return names(below: parent) + (command.positionals.count == 1 ? topics : [])
    }

    // MARK: Options

    private var optionsOrTerms: [Candidate] {
        let parts = line.last.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, parts[0].hasPrefix("--") {
            guard let option = command.outline.option(String(parts[0])),
                case .words(let words) = values(of: option, completing: String(parts[1]))
            else { return [] }
            return words.map { Candidate(value: "\(parts[0])=\($0.value)", description: $0.description) }
        }
        if command.takesFilter, line.last != "-", !line.last.hasPrefix("--") {
            let term = String(line.last.dropFirst())
            return values.terms(completing: term).map {
                Candidate(
                    value: "-" + $0.value, description: $0.description.isEmpty ? "" : "not " + $0.description)
            }
        }
        return command.outline.options.filter { option in
            option.isRepeating || !command.options.contains(where: option.names.contains)
        }.flatMap { option in
            let names = option.names.filter { $0.hasPrefix("--") }
            return (names.isEmpty ? option.names : names).map { name in
                Candidate(value: name, description: option.abstract)
            }
        }
    }

    /// Returns possible values of an argument; some might not begin with the word.
    private func values(of argument: CommandOutline.Argument, completing word: String) -> Completion {
        if !argument.values.isEmpty { return .words(argument.values.map { Candidate(value: $0) }) }
        switch argument.valueName {
        case "todo":
            let todos = values.todos(completing: word)
            let terms = command.takesFilter ? values.terms(completing: word) : []
            // Files that no command has recorded yet can be todos.
            return todos.isEmpty && values.hasOnlyFiles ? .files : .words(todos + terms)
        case "filter": return .words(values.terms(completing: word))
        case "key=value": return .words(values.assignments(completing: word))
        case "key": return .words(values.fields)
        case "operation": return .words(values.operations(completing: word))
        case "item": return .words(values.items)
        case "tag": return .words(values.tags)
        case "date": return .words(LiveValues.dates)
        case "priority": return .words(LiveValues.priorities)
        case "table": return .words(values.tables)
        case "name" where command.name == ["resolve"]: return .words(values.conflictingFields)
        case "url" where word.contains("#"): return .words(values.addresses(completing: word))
        case "origin" where command.name == ["trust"]: return .words(values.trustedServers)
        default: break
        }
        switch argument.paths {
        case .files: return .files
        case .folders: return .folders
        case nil: return .nothing
        }
    }
}

/// The command that the words before the cursor name, and what it expects next.
struct TypedCommand {
    /// The command that the words name so far.
    private(set) var command: any ParsableCommand.Type = Todosync.self
    /// The command's name, without `todosync`: `remote add`.
    private(set) var name: [String] = []
    /// The folder of `-C`.
    private(set) var directory: String?
    private(set) var positionals: [String] = []
    /// The values of the options so far.
    private(set) var values: [String: String] = [:]
    /// The options and flags so far.
    private(set) var options: [String] = []
    /// The option that expects a value at the cursor.
    private(set) var pending: CommandOutline.Argument?
    /// Whether `--` has ended the options.
    private(set) var hasEnded = false
    private(set) var outline = CommandOutline(GlobalOptions.self)

    /// Reads the words after `todosync`.
    init(_ words: [String]) {
        for word in words { read(word) }
    }

    /// The next positional argument; nil if the command takes no more.
    var positional: CommandOutline.Argument? {
        let all = outline.positionals
        if positionals.count < all.count { return all[positionals.count] }
        return all.last?.isRepeating == true ? all.last : nil
    }

    /// Whether the command accepts a filter.
    var takesFilter: Bool { command.configuration.takesFilter }

    private mutating func read(_ word: String) {
        if let option = pending {
            pending = nil
            if option.names == ["-C"] { directory = word }
            for name in option.names { values[name] = word }
        } else if hasEnded || !word.hasPrefix("-") || word == "-" || takesFilter && Filter.isTerm(word) {
            readArgument(word)
        } else if word == "--" {
            hasEnded = true
        } else {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = outline.option(String(parts[0]))
            options += option?.names ?? [word]
            if parts.count == 2 {
                for name in option?.names ?? [] { values[name] = String(parts[1]) }
            } else if option?.kind == .option {
                pending = option
            }
        }
    }

    private mutating func readArgument(_ word: String) {
        let other = name.isEmpty ? OtherNames.command(named: word) : word
        guard positionals.isEmpty, let next = NamedCommand.below(command).first(where: { $0.name == other })
        else {
            positionals.append(word)
            return
        }
        name.append(other)
        command = next.type
        outline = CommandOutline(command)
    }
}

/// A command line up to the cursor, split into words as a shell would.
///
/// It makes no substitutions, and treats an operator such as `<` as an ordinary character.
struct TypedLine {
    /// The words before the one at the cursor.
    private(set) var words: [String] = []
    /// The word at the cursor so far; empty after white space.
    private(set) var last = ""
    /// The quotation mark that is open at the cursor.
    private(set) var quote: Character?

    init(_ line: String) {
        var isWord = false
        var characters = line.makeIterator()
        while let character = characters.next() {
            switch (character, quote) {
            case ("\\", nil):
                if let next = characters.next() { last.append(next) }
                isWord = true
            case ("\\", "\""?):
                guard let next = characters.next() else { break }
                last += "\"\\$`".contains(next) ? "\(next)" : "\\\(next)"
            case ("'", nil), ("\"", nil): (quote, isWord) = (character, true)
            case (_, let quote?) where character == quote: self.quote = nil
            case (_, nil) where character.isWhitespace:
                if isWord { words.append(last) }
                (last, isWord) = ("", false)
            default:
                last.append(character)
                isWord = true
            }
        }
    }
}
