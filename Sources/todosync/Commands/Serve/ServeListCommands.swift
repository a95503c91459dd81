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

    @OptionGroup var list: StoreListArguments
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let store = try list.store.open(in: session)
        let present = Present(session.dates)
        let keys = try waiting { try await store.accessKeys() }.map { key in
            (
                json: json(key),
                cells: [
                    visible(key.name), key.access.rawValue, key.table?.string ?? "all tables",
                    key.isAnonymous ? "anonymous" : "",
                    "created " + present.localTime(Instant(milliseconds: key.createdAt).internetTime),
                ]
            )
        }
        return try list.show(
            keys, or: "no keys: the server accepts everybody on this machine, and nobody else", in: session)
    }
}

/// The command `todosync serve table list`.
struct ServeTableListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tables.",
        usage: "todosync serve table list [--json] --store <store>",
        discussion: "Example: todosync serve table list --store store")

    @OptionGroup var list: StoreListArguments
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let store = try list.store.open(in: session)
        let names = try waiting { try await store.tableNames() }.map { name in
            (json: Value.mapping(Mapping([(key: "name", value: .string(name.string))])), cells: [name.string])
        }
        return try list.show(names, or: "no tables", in: session)
    }
}

/// The options of a command that lists a part of a store.
struct StoreListArguments: ParsableArguments {
    @OptionGroup var store: StoreOption
    @OptionGroup var json: JSONOption

    /// Prints items as JSON or as a table; an empty table is followed by a remark.
    func show(
        _ items: [(json: Value, cells: [String])], or remark: String, in session: Session
    ) throws -> ExitStatus {
        if json.isWanted {
            try session.show(json: .list(items.map(\.json)))
            return .done
        }
        let table = Table(rows: items.map { $0.cells.map { Table.Cell($0) } })
        try session.show(table.render(session.style()))
        if items.isEmpty { session.remark(remark) }
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
