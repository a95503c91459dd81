internal import ArgumentParser

/// A subject that `todosync help` explains besides the commands.
///
/// Its text is a section of README.md, which is embedded in the program.
enum HelpTopic: String, CaseIterable {
    case files, names, dates, filters, recurrence, merging, conflicts, undo, git, configuration
    case exitStatus = "exit-status"

    /// The heading of the section.
    var heading: String {
        switch self {
        case .files: "Todo files"
        case .names: "Names of todos"
        case .dates: "Dates"
        case .filters: "Filters"
        case .recurrence: "Recurring todos"
        case .merging: "What merges"
        case .conflicts: "Conflicts"
        case .undo: "Undo"
        case .git: "Beside git"
        case .configuration: "Configuration"
        case .exitStatus: "Exit status"
        }
    }

    /// What the topic is about, in a few words.
    var summary: String {
        switch self {
        case .files: "the format of todo files"
        case .names: "how to name a todo in a command"
        case .dates: "dates as people type them"
        case .filters: "finding several todos at once"
        case .recurrence: "todos that recur"
        case .merging: "how the changes of both sides are merged"
        case .conflicts: "conflicts, and how to resolve them"
        case .undo: "undoing what you did"
        case .git: "todos in a git repository"
        case .configuration: "settings and environment variables"
        case .exitStatus: "what a command's exit status means"
        }
    }

    /// The topic's section; nil only if README.md lacks it.
    var section: MarkdownSection? {
        MarkdownSection(of: String(decoding: PackageResources.README_md, as: UTF8.self), below: heading)
    }
}

extension Interpreter {
    /// Returns the topic that `help TOPIC` asks for, with or without options before it; nil for other
    /// commands, and for the help of a command.
    ///
    /// - Throws: A ``Failure`` for a word that is neither a topic nor a command.
    func helpTopic(_ arguments: [String]) throws -> HelpTopic? {
        guard let index = arguments.firstIndex(of: "help"),
            arguments[..<index].allSatisfy({ $0.hasPrefix("-") }),
            let name = arguments[(index + 1)...].first(where: { !$0.hasPrefix("-") })
        else { return nil }
        if let topic = HelpTopic(rawValue: name) { return topic }
        if commandNames.contains(name) || OtherNames.aliases[name] != nil { return nil }
        if OtherNames.advice[name] != nil { try refuseUnknownCommand(in: [name]) }
        let topics = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(
            .usage, "there is no help on '\(withoutKeys(visible(name)))'",
            hint: "the topics are \(topics); run \"todosync --help\" to list all commands")
    }

    /// Prints a topic, paged at a terminal.
    func show(_ topic: HelpTopic, usesPager: Bool) throws {
        // Long lines are hard to read.
        let width = min(process.standardOutput.terminalWidth ?? 80, 100)
        let title = "\(topic.heading)\n\n"
        try process.page(
            Array((title + (topic.section.map { plainText($0, width: width) } ?? "")).utf8),
            usesPager: usesPager)
    }
}
