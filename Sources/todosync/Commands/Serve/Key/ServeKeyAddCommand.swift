internal import ArgumentParser
internal import Remotes

/// The command `todosync serve key add NAME`.
struct ServeKeyAddCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a key and print it.",
        usage:
            "todosync serve key add <name> --access <access> [--table <table>] [--anonymous] --store <dir>",
        discussion: """
            The key is printed once, alone on the last line of standard output, and kept as a hash only. Clients \
            send it as x-zumo-application, Authorization: Bearer or X-ZUMO-AUTH; todosync remote login keeps it for \
            todosync.

            Example: todosync serve key add phone --table todoitem --access write --store store
            """)

    @Argument(help: "What the key is called, in the list of keys and in the log.")
    var name: String

    @Option(
        help: ArgumentHelp(
            "What it allows: \(Typed.accessWords); admin may make tables, too.", valueName: "access"),
        completion: .list(AccessKey.Access.allCases.map(\.rawValue)), transform: Typed.access)
    var access: AccessKey.Access

    @Option(
        help: ArgumentHelp("The table it is for; all, if none is named.", valueName: "table"),
        transform: Typed.tableName)
    var table: TableName?

    @Flag(help: "Allow it to requests without a key, too.")
    var anonymous = false

    @OptionGroup var store: StoreOption
    @OptionGroup var global: GlobalOptions

    private static let longestName = 100

    func validate() throws {
        let isControl = name.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
        guard (1...Self.longestName).contains(name.utf8.count), !isControl else {
            throw ValidationError("a key's name has 1 to \(Self.longestName) bytes and no control characters")
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        let store = try store.open(in: session)
        let key = AccessKey(
            name: name, table: table, access: access, isAnonymous: anonymous,
            createdAt: session.process.milliseconds())
        if try waiting(for: { try await store.accessKeys() }).contains(where: { $0.name == name }) {
            throw Failure(
                .cannotCreate, "there is a key \(visible(name)) already",
                hint: "choose another name, or todosync serve key revoke \(shellQuoted(visible(name))) first")
        }
        let added = try waiting { try await store.addKey(key) }
        session.remark("this is the only time that the key is shown:")
        try session.show(added.secret + "\n")
        return .done
    }
}
