internal import ArgumentParser

/// The command `todosync serve store` and its subcommands.
struct ServeStoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Manage a store as a whole.",
        discussion: "Example: todosync serve store create --store postgresql:///todos",
        subcommands: [
            ServeStoreCreateCommand.self, ServeStoreUpgradeCommand.self, ServeStoreCopyCommand.self,
        ])
}
