internal import ArgumentParser

/// The help and the completion of an argument that names a todo.
enum TodoArgument {
    static let help = ArgumentHelp(
        "A todo's handle, path or id, a prefix of its file's name, or words from its text.",
        valueName: "todo")
    /// The help for a command that also accepts a filter.
    static let helpWithFilter = ArgumentHelp(
        "A todo's handle, path or id, a prefix of its file's name, or words from its text. Or a <filter>: terms that "
            + "all must match, such as tag:home or due<fri.", valueName: "todo")
    static let completion = CompletionKind.file(extensions: ["yaml", "yml"])
}

/// The help texts that explain how to write a filter.
enum FilterArgument {
    static let help = ArgumentHelp(
        "Terms that all must match, such as tag:home or due<fri.", valueName: "filter")

    /// The explanation in the help of a command that only reads.
    static let discussion = """
        \(terms)

        Done todos match only if a term names a state, such as is:done.
        """

    /// The explanation of the terms.
    static let terms = """
        A term is a word of the text or the notes, in any letter case; text:WORD for a word with a colon; \
        tag:T; path:FOLDER/; due<fri, due>=2026-12-01, due:today, due:none; overdue; priority:high; is:open, \
        is:done, is:overdue, is:today, is:soon, is:pending, is:conflict, is:held; @NAME, a saved filter; or \
        any field of your own: project:house, "estimate>3". - or not: before a term negates it: -tag:work. A \
        shell needs quotation marks around < and >.
        """

    /// The explanation in the help of a command that changes todos.
    static let manyTodos = """
        A filter stands for all todos that match it, as in "todosync list". Before it changes more than five \
        todos, the command asks. Without a terminal, or with --no-input, it exits with 64 unless you add --yes.
        """
}

/// The help of an argument that names an operation of the log.
enum OperationArgument {
    static let help = ArgumentHelp(
        "An operation's id, a unique prefix of at least four characters, or @1 for the last operation.",
        valueName: "operation")
}

/// Rewrites negated terms of filters so that the argument parser doesn't read them as options: `-tag:work`
/// becomes `not:tag:work`.
///
/// This affects only commands that take a filter, and only words that have the form of a term.
func sparingNegatedTerms(in words: [String]) -> [String] {
    guard let command = commandIndex(in: words),
        allCommands.contains(where: {
            $0.configuration.commandName == words[command] && $0.configuration.takesFilter
        })
    else { return words }
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return words.enumerated().map { index, word in
        guard index > command, index < end, word.hasPrefix("-"), Filter.isTerm(word) else { return word }
        return Filter.negation + word.dropFirst()
    }
}

extension CommandConfiguration {
    /// Whether the command's usage has a filter.
    var takesFilter: Bool { usage?.contains("<filter>") ?? false }
}
