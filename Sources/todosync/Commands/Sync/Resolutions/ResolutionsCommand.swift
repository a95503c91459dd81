internal import ArgumentParser

/// The command `todosync resolutions` and its subcommands.
struct ResolutionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolutions",
        abstract: "List or forget how you resolved conflicts.",
        usage: """
            todosync resolutions [--json] [<todo>...]
            todosync resolutions forget <todo>...
            todosync resolutions forget --all
            """,
        discussion: """
            Example: todosync resolutions forget hello-world-3.yaml

            todosync remembers what you chose for each conflicting value, in this folder only. If the same \
            conflict comes up again, "todosync resolve --again" resolves it in the same way. With merge: \
            {remember: true} in .todosync/config.yaml, push, pull and sync do this automatically. Without a \
            subcommand, lists what todosync remembers.

            Exit status: 0 done, 66 no such todo, 73 or 74 a file can't be read or written, 75 another todosync \
            is running here.
            """,
        subcommands: [ResolutionsListCommand.self, ResolutionsForgetCommand.self],
        defaultSubcommand: ResolutionsListCommand.self)
}
