internal import ArgumentParser

/// The command `todosync serve key` and its subcommands.
struct ServeKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Manage the access keys of a store.",
        discussion: "Example: todosync serve key list --store store",
        subcommands: [ServeKeyAddCommand.self, ServeKeyListCommand.self, ServeKeyRevokeCommand.self])
}
