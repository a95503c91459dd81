internal import ArgumentParser
internal import Remotes

/// The option `--store` of commands that work directly on a store.
struct StoreOption: ParsableArguments {
    // This is optional because `serve` parses its subcommands' arguments before they do, and because the
    // environment variable can name the store instead.
    @Option(
        name: .customLong("store"),
        help: ArgumentHelp(
            "The store: a folder, or a PostgreSQL database such as postgresql:///todos or service=todos; "
                + "TODOSYNC_STORE by default.",
            valueName: "store"),
        completion: .directory)
    var typed: String?

    /// Returns the store's location.
    ///
    /// - Throws: A ``Failure`` if no store is named, or if the command line contains a password.
    func location(in session: Session) throws -> StoreLocation {
        if let typed { return try StoreLocation(typed: typed, in: session) }
        guard let named = session.process.environment("TODOSYNC_STORE") else {
            throw Failure(
                .usage, "the option --store is missing",
                hint: "add --store DIR with the store's folder, or --store URL with its database")
        }
        return StoreLocation(named, in: session)
    }

    /// Opens the store.
    ///
    /// - Throws: A ``Failure`` or `StoreError`.
    func open(in session: Session) throws -> Store { try location(in: session).open(in: session) }
}

extension StoreLocation {
    /// Creates the location that a command's argument names.
    ///
    /// - Throws: A ``Failure`` if the argument has a password, because other users can see it.
    init(typed: String, in session: Session) throws {
        self.init(typed, in: session)
        if case .database(let database) = self, database.hasPassword {
            throw Failure(
                .usage, "a URL on the command line can't contain a password",
                hint:
                    "put it into the file that PGPASSFILE names, use service=NAME, or set TODOSYNC_STORE to the URL"
            )
        }
    }

    fileprivate init(_ text: String, in session: Session) {
        self =
            DatabaseAddress(text).map { .database($0) }
            ?? .folder(TypedPath(typed: text, currentDirectory: session.currentDirectory).absolute)
    }

    /// Opens the store.
    ///
    /// - Throws: A ``Failure`` or `StoreError`.
    func open(in session: Session) throws -> Store {
        switch self {
        case .folder(let path): return try openStore(at: path, session.process)
        case .database(let address):
            try checkEventLoop(threads: threadsOfServer)
            let surroundings = session.process.forStore
            let store = try waiting(showing: session.progress) {
                try await Store.open(address, surroundings: surroundings)
            }
            session.warn(store.warnings.map { "warning: " + visible($0) })
            return store
        }
    }

    /// Creates the store, unless it exists, and prints its location.
    ///
    /// - Throws: A ``Failure`` or `StoreError`.
    func create(json: JSONOption, in session: Session) throws {
        switch self {
        case .folder(let path): try createStore(at: path, session.process)
        case .database(let address):
            try checkEventLoop(threads: threadsOfServer)
            let surroundings = session.process.forStore
            let store = try waiting(showing: session.progress) {
                try await Store.create(in: address, surroundings: surroundings)
            }
            session.warn(store.warnings.map { "warning: " + visible($0) })
        }
        if json.isWanted {
            try session.show(json: initJSON(.store, in: description))
        } else {
            try session.print("the store \(visible(description)) is ready\n")
        }
    }
}

/// Parses arguments into the types of the store.
enum Typed {
    static func tableName(_ text: String) throws -> TableName {
        guard let name = TableName(text) else {
            throw ValidationError(
                "'\(text)' is not a table name: use a letter or _, followed by up to 127 letters, digits and _"
            )
        }
        return name
    }

    static func access(_ text: String) throws -> AccessKey.Access {
        guard let access = AccessKey.Access(rawValue: text) else {
            throw ValidationError("'\(text)' is not an access level; use \(enumeration(accessLevels, "or"))")
        }
        return access
    }

    static let accessLevels = AccessKey.Access.allCases.map(\.rawValue)
}
