internal import ArgumentParser

/// How a todo is named on the command line.
enum TodoArgument {
    static let help = ArgumentHelp("A todo's path, id, or unique prefix of its id.", valueName: "todo")
    static let completion = CompletionKind.file(extensions: ["yaml", "yml"])
}
