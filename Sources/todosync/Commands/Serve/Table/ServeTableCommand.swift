internal import ArgumentParser

/// The command `todosync serve table` and its subcommands.
struct ServeTableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Manage the tables of a store.",
        discussion: "Example: todosync serve table list --store store",
        subcommands: [ServeTableAddCommand.self, ServeTableListCommand.self])
}
