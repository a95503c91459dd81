internal import ArgumentParser
internal import LosslessYAML
internal import Remotes

/// The command `todosync serve table list`.
struct ServeTableListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tables.",
        usage: "todosync serve table list [--json] --store <store>",
        discussion: "Example: todosync serve table list --store store")

    @OptionGroup var store: StoreOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let store = try store.open(in: session)
        let names = try waiting { try await store.tableNames() }.map(\.string)
        if json.isWanted {
            try session.show(
                json: .list(names.map { .mapping(Mapping([(key: "name", value: .string($0))])) })
            )
        } else {
            try session.show(names.map { $0 + "\n" }.joined())
            if names.isEmpty { session.remark("no tables") }
        }
        return .done
    }
}
