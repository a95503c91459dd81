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
