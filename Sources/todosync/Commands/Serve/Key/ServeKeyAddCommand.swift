internal import ArgumentParser
internal import Remotes

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
    @OptionGroup var global: GlobalOptions

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
