internal import ArgumentParser
internal import LosslessYAML
internal import Remotes
internal import TodoModel
internal import Values

/// The command `todosync serve key` and its subcommands.
struct ServeKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Manage the access keys of a store.",
        discussion: "Example: todosync serve key list --store store",
        subcommands: [ServeKeyAddCommand.self, ServeKeyListCommand.self, ServeKeyRevokeCommand.self])
}

/// The command `todosync serve key add NAME`.
struct ServeKeyAddCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Create a key and print it.",
        usage:
            "todosync serve key add <name> --access <access> [--table <table>] [--anonymous] --store <store>",
        discussion: """
            Example: todosync serve key add phone --table todoitem --access write --store store

            Prints the key once, alone on the last line of standard output. The store keeps only a hash of it. \
            Clients send the key as x-zumo-application, Authorization: Bearer or X-ZUMO-AUTH. To save it for \
            todosync, run "todosync remote login".
            """)

    @Argument(help: "A name for the key, shown in the list of keys and in the log.")
    var name: String

    @Option(
        help: ArgumentHelp(
            "What the key allows: \(Typed.accessLevels.joined(separator: ", ")); write can create the table that --table names, admin any table.",
            valueName: "access"),
        completion: .list(AccessKey.Access.allCases.map(\.rawValue)), transform: Typed.access)
    var access: AccessKey.Access

    @Option(
        help: ArgumentHelp("The table that the key is for; all tables by default.", valueName: "table"),
        transform: Typed.tableName)
    var table: TableName?

    @Flag(help: "Allow this access without a key, and print no key.")
    var anonymous = false

    @OptionGroup var json: JSONOption
    @OptionGroup var store: StoreOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        guard AccessKey.isValidName(name) else {
            throw ValidationError("\(AccessKeyError.invalidName(name))")
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        let store = try store.open(in: session)
        let key = AccessKey(name: name, table: table, access: access, isAnonymous: anonymous, createdAt: 0)
        do {
            let added = try waiting { try await store.addKey(key) }
            if json.isWanted {
                try session.show(json: todosync.json(key, secret: added.secret))
                return .done
            }
            guard let secret = added.secret else {
                session.remark(
                    "requests without a key now have \(access.rawValue) access to "
                        + (table?.string ?? "all tables"))
                return .done
            }
            session.remark("save this key now; it is not shown again:")
            try session.show(secret + "\n")
            return .done
        } catch AccessKeyError.nameIsTaken {
            throw Failure(
                .cannotCreate, "the key \(name) already exists",
                hint:
                    "choose a different name, or run \"todosync serve key revoke \(name)\" with the same --store to revoke it"
            )
        }
    }
}

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
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

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

/// The command `todosync serve table` and its subcommands.
struct ServeTableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Manage the tables of a store.",
        discussion: "Example: todosync serve table list --store store",
        subcommands: [ServeTableAddCommand.self, ServeTableListCommand.self])
}

/// The command `todosync serve table add NAME`.
struct ServeTableAddCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Create a table, unless it already exists.",
        usage: "todosync serve table add <name> --store <store>",
        discussion: """
            Example: todosync serve table add todoitem --store store

            A name is a letter or underscore, followed by up to 127 letters, digits and underscores. The first \
            write with a key for the table, or with an admin key, creates the table, too.
            """)

    @Argument(help: "The table's name.", transform: Typed.tableName)
    var name: TableName

    @OptionGroup var json: JSONOption
    @OptionGroup var store: StoreOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let store = try store.open(in: session)
        let isNew = try waiting { try await store.addTable(name) }
        if json.isWanted {
            try session.show(json: namedJSON(name.string))
            return .done
        }
        try session.print(
            isNew ? "created the table \(name.string)\n" : "the table \(name.string) already exists\n")
        return .done
    }
}

/// The command `todosync serve key list`.
struct ServeKeyListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys without their secrets.",
        usage: "todosync serve key list [--json] --store <store>",
        discussion: "Example: todosync serve key list --store store")

    @OptionGroup var list: StoreListArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

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
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

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
