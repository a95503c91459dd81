internal import Remotes
internal import TodoModel
internal import Values

extension Failure {
    /// Creates a failure from an error of a store.
    ///
    /// - Parameter status: The exit status of a command that creates a store; nil if the command opens one.
    init(_ error: StoreError, making status: ExitStatus?) {
        self.init(status ?? Self.status(error), visible(error.description), hint: Self.hint(error))
    }

    private static func status(_ error: StoreError) -> ExitStatus {
        switch error {
        case .notFound, .notAStore: .notFound
        case .unsupportedFormat, .moved, .unfinishedCopy: .configuration
        case .busy, .moving: .busy
        case .cannotLock: .remoteUnavailable
        case .damaged, .lost: .invalidData
        case .folderNotEmpty, .notPermitted, .readOnly, .diskFull, .inputOutput: .cannotReadOrWrite
        case .database(_, let problem): status(problem)
        }
    }

    private static func status(_ problem: StoreError.DatabaseProblem) -> ExitStatus {
        switch problem {
        case .unreachable: .remoteUnavailable
        case .badAddress: .configuration
        case .missing: .notFound
        case .otherTables: .cannotCreate
        case .missingRights: .notAllowed
        case .refused, .pooled, .tooOld, .encoding, .olderFormat, .unsupported: .configuration
        }
    }

    private static func hint(_ error: StoreError) -> String {
        switch error {
        case .notFound(let path):
            "run \"todosync init --bare \(shellQuoted(visible(path)))\" to create a store"
        case .notAStore, .folderNotEmpty: "run \"todosync init --bare DIR\" to create a store in a new folder"
        case .unsupportedFormat(_, let found, let supported): Advice.unsupportedStore(found, supported)
        case .busy: "try again when the other process has finished"
        case .cannotLock: Advice.unlockedStore
        case .damaged(let path, _):
            DatabaseAddress(path) == nil ? Advice.damagedStore : Advice.damagedDatabase
        case .lost:
            "restore it from a backup, or create a new store: any working directory can push all its todos to it"
        case .moving: Advice.movingStore
        case .moved(_, let location): "use \(visible(location)) instead"
        case .unfinishedCopy:
            "run \"todosync serve store copy\" with the same --from and --to again to complete it"
        case .diskFull, .notPermitted, .readOnly, .inputOutput:
            Advice.afterFault(error.code)
        case .database(_, let problem): hint(problem)
        }
    }

    private static func hint(_ problem: StoreError.DatabaseProblem) -> String {
        switch problem {
        case .unreachable: "check that PostgreSQL is running and that the address is right, and try again"
        case .refused:
            "check the configuration of the database, and of a pooler in front of it; PostgreSQL's log says more"
        case .pooled: "use PostgreSQL's own address for this command"
        case .badAddress:
            "check the URL, or the service in ~/.pg_service.conf or the file that PGSERVICEFILE names"
        case .missing: "run \"todosync serve store create\" with the same --store to create one"
        case .otherTables: "create a separate database for the store"
        case .missingRights(let statements):
            "run this as the database's owner, and try again: \(statements.joined(separator: "; "))"
        case .tooOld: "upgrade the server, or use a store in a folder"
        case .encoding: "create a database with ENCODING 'UTF8'"
        case .olderFormat:
            "stop the store's servers, and run \"todosync serve store upgrade\" with the same --store"
        case .unsupported: "use a released todosync, or build it with --traits PostgreSQL"
        }
    }
}

extension Advice {
    static let newerFormat = "a newer todosync created it; install that version"

    /// - Parameters:
    ///   - found: The format of a store.
    ///   - supported: The format that this todosync supports.
    static func unsupportedStore(_ found: Int, _ supported: Int) -> String {
        found > supported
            ? newerFormat
            : "clone each table with the todosync that created the store, and remove .todosync from the clones; "
                + "then create a new store with this todosync, and run \"todosync init\", \"todosync remote add "
                + "origin URL\" and \"todosync push\" in each clone"
    }

    static let unlockedStore =
        "try again when nobody else is using the store, or get write permission for its folder"
    static let movingStore =
        "try again when the copy is complete; if it was interrupted, run the same copy again"
    static let damagedDatabase = "restore the database from a backup"
    static let damagedStore =
        "restore it from a backup, or run \"todosync fsck --store DIR --repair\" to save what is readable"
}
