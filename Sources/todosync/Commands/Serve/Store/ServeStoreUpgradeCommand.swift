internal import ArgumentParser
internal import Remotes

/// The command `todosync serve store upgrade`.
struct ServeStoreUpgradeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "upgrade", abstract: "Upgrade a store to the format of this version of todosync.",
        usage: "todosync serve store upgrade --store <store>",
        discussion: """
            Example: todosync serve store upgrade --store postgresql:///todos

            Stop the servers of the store first, and start new ones afterward: older versions of todosync can't \
            use the new format. Run the command as the owner of the tables. Servers that connect as a different \
            user then print the privileges that they need.

            So far, no format can be upgraded: a store in an older one is refused, and the error shows how to move \
            its todos to a new store.

            Exit status: 0 done, or nothing to do, 66 no such store, 69 the database can't be reached, 74 \
            the store can't be read or written, 75 another todosync is using the store, 78 the store's format \
            isn't supported.
            """)

    @OptionGroup var store: StoreOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let location = try store.location(in: session)
        let surroundings = session.process.forStore
        let format = try waiting(showing: session.progress) {
            try await location.upgrade(surroundings: surroundings)
        }
        if json.isWanted {
            try session.show(json: upgradeJSON(from: format, location.description))
        } else if let format {
            try session.say("upgraded the store \(visible(location.description)) from format \(format)\n")
        } else {
            try session.say("the store \(visible(location.description)) is up to date\n")
        }
        return .done
    }
}
