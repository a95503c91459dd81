internal import ArgumentParser

/// The command `todosync serve key` and its subcommands.
struct ServeKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Manage the keys that a store's server takes.",
        subcommands: [ServeKeyAddCommand.self, ServeKeyListCommand.self, ServeKeyRevokeCommand.self])
}
