internal import ArgumentParser
internal import LosslessYAML
internal import Remotes
internal import TodoModel
internal import Values

/// The command `todosync serve key list`.
struct ServeKeyListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys without their secrets.",
        usage: "todosync serve key list [--json] --store <store>",
        discussion: "Example: todosync serve key list --store store")

    @OptionGroup var store: StoreOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let store = try store.open(in: session)
        let keys = try waiting { try await store.accessKeys() }
        if json.isWanted {
            try session.show(json: .list(keys.map(todosync.json)))
        } else {
            let present = Present(session.dates)
            let table = Table(
                rows: keys.map { key in
                    [
                        Table.Cell(visible(key.name)), Table.Cell(key.access.rawValue),
                        Table.Cell(key.table?.string ?? "all tables"),
                        Table.Cell(key.isAnonymous ? "anonymous" : ""),
                        Table.Cell(
                            "created "
                                + present.localTime(Instant(milliseconds: key.createdAt).internetTime)),
                    ]
                })
            try session.show(table.render(session.style()))
            if keys.isEmpty {
                session.remark("no keys: the server accepts everybody on this machine, and nobody else")
            }
        }
        return .done
    }
}

/// Returns a key as `serve key list --json` prints it.
private func json(_ key: AccessKey) -> Value {
    var result = Mapping()
    result["name"] = .string(key.name)
    result["table"] = key.table.map { .string($0.string) } ?? .null
    result["access"] = .string(key.access.rawValue)
    result["anonymous"] = .bool(key.isAnonymous)
    result["createdAt"] = .string(Instant(milliseconds: key.createdAt).internetTime)
    return .mapping(result)
}
