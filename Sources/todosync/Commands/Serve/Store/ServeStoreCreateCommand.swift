internal import ArgumentParser

/// The command `todosync serve store create`.
struct ServeStoreCreateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a store in a database or a folder, unless it has one.",
        usage: "todosync serve store create --store <store>",
        discussion: """
            Example: todosync serve store create --store postgresql:///todos

            In PostgreSQL, creates the schema "todosync" with the store's tables; the database must exist, and be \
            in UTF-8. The user needs the privilege to create a schema only for this command. A URL has the form \
            postgresql://USER@HOST/DATABASE; parts that are missing come from PGHOST and the other variables of \
            PostgreSQL's programs, and a password from the file that PGPASSFILE names.
            """)

    @OptionGroup var store: StoreOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try store.location(in: session).create(json: json, in: session)
        return .done
    }
}
