internal import ArgumentParser
internal import Remotes

/// The option `--store` of commands that work directly on a store.
struct StoreOption: ParsableArguments {
    // This is optional because `serve` parses its subcommands' arguments before they do, and because of the
    // environment variable.
    @Option(
        name: .customLong("store"),
        help: ArgumentHelp(
            "The store: a folder, or a PostgreSQL database such as postgresql:///todos or service=todos; "
                + "TODOSYNC_STORE by default.",
            valueName: "store"),
        completion: .directory)
    var typed: String?

    /// Returns the place of the store.
    ///
    /// - Throws: A ``Failure`` if there is none, or if it has a password that others can see.
    func location(in session: Session) throws -> StoreLocation {
        guard let typed = typed ?? session.process.environment("TODOSYNC_STORE") else {
            throw Failure(
                .usage, "the option --store is missing",
                hint: "add --store DIR with the store's folder, or --store URL with its database")
        }
        guard let database = DatabaseAddress(typed) else {
            return .folder(TypedPath(typed: typed, currentDirectory: session.currentDirectory).absolute)
        }
        // Other users of the machine can see a command's arguments.
        if self.typed != nil, database.hasPassword {
            throw Failure(
                .usage, "a URL on the command line can't contain a password",
                hint:
                    "put it into the file that PGPASSFILE names, use service=NAME, or set TODOSYNC_STORE to the URL"
            )
        }
        return .database(database)
    }

    /// Opens the store.
    ///
    /// - Throws: A ``Failure`` or `StoreError`.
    func open(in session: Session) throws -> Store {
        switch try location(in: session) {
        case .folder(let path): return try openStore(at: path, session.process)
        case .database(let address):
            let surroundings = session.process.forStore
            let store = try waiting(showing: session.progress) {
                try await Store.open(address, surroundings: surroundings)
            }
            session.warn(store.warnings.map { visible($0) })
            return store
        }
    }

    /// Creates the store, unless it exists, and says where it is.
    ///
    /// - Throws: A ``Failure`` or `StoreError`.
    func create(json: JSONOption, in session: Session) throws {
        let place: String
        switch try location(in: session) {
        case .folder(let path):
            try createStore(at: path, session.process)
            place = path
        case .database(let address):
            let surroundings = session.process.forStore
            _ = try waiting(showing: session.progress) {
                try await Store.create(in: address, surroundings: surroundings)
            }
            place = address.description
        }
        if json.isWanted {
            try session.show(json: initJSON(.store, in: place))
        } else {
            try session.say("the store \(visible(place)) is ready\n")
        }
    }
}
