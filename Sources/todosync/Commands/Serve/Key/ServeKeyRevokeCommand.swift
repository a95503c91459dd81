internal import ArgumentParser
internal import Remotes

/// The command `todosync serve key revoke NAME`.
struct ServeKeyRevokeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a key; takes effect at once, even on a running server.",
        usage: "todosync serve key revoke <name> --store <store>",
        discussion: "Example: todosync serve key revoke phone --store store")

    @Argument(help: "The key's name.")
    var name: String

    @OptionGroup var json: JSONOption
    @OptionGroup var store: StoreOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let store = try store.open(in: session)
        guard try waiting(for: { try await store.revokeKey(named: name) }) else {
            throw Failure(
                .notFound, "there is no key '\(visible(name))'",
                hint: "run \"todosync serve key list\" with the same --store to list the keys")
        }
        if json.isWanted { try session.show(json: namedJSON(name)) }
        if try waiting(for: { try await !store.hasKeys() }) {
            session.remark(
                "no keys are left: a running server now refuses everybody; after a restart, it serves everybody on "
                    + "this machine")
        }
        return .done
    }
}
