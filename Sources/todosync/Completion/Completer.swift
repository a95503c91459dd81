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
