internal import ArgumentParser
internal import Remotes

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
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let store = try store.open(in: session)
        let isNew = try waiting { try await store.addTable(name) }
        if json.isWanted {
            try session.show(json: namedJSON(name.string))
            return .done
        }
        try session.say(
            isNew ? "created the table \(name.string)\n" : "the table \(name.string) already exists\n")
        return .done
    }
}
