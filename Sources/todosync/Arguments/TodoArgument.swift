internal import ArgumentParser

/// How a todo is named on the command line.
enum TodoArgument {
    static let help = ArgumentHelp(
        "A todo's handle, path or id, a prefix of its file's name, or words of its text.", valueName: "todo")
    /// The same for a command that takes a filter instead.
    static let helpWithFilter = ArgumentHelp(
        "A todo's handle, path or id, a prefix of its file's name, or words of its text. Or a <filter>: terms that "
            + "all must match, such as tag:home or due<fri.", valueName: "todo")
    static let completion = CompletionKind.file(extensions: ["yaml", "yml"])
}
