internal import ArgumentParser

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
