internal import ArgumentParser
internal import LosslessYAML
internal import Remotes
internal import TodoModel

/// The command `todosync serve store` and its subcommands.
struct ServeStoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Manage a store as a whole.",
        discussion: "Example: todosync serve store create --store postgresql:///todos",
        subcommands: [
            ServeStoreCreateCommand.self, ServeStoreUpgradeCommand.self, ServeStoreCopyCommand.self,
        ])
}

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
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try store.location(in: session).create(json: json, in: session)
        return .done
    }
}

/// The command `todosync serve store upgrade`.
struct ServeStoreUpgradeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "upgrade", abstract: "Upgrade a store to the format of this version of todosync.",
        usage: "todosync serve store upgrade --store <store>",
        discussion: """
            Example: todosync serve store upgrade --store postgresql:///todos

            Stop the servers of the store first, and start new ones afterward: older versions of todosync can't \
            use the new format. Run the command as the owner of the tables. Servers that connect as a different \
            user then print the privileges that they need.

            So far, no format can be upgraded: a store in an older one is refused, and the error shows how to move \
            its todos to a new store.

            Exit status: 0 done, or nothing to do, 66 no such store, 69 the database can't be reached, 74 \
            the store can't be read or written, 75 another todosync is using the store, 78 the store's format \
            isn't supported.
            """)

    @OptionGroup var store: StoreOption
    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let location = try store.location(in: session)
        let surroundings = session.process.forStore
        let format = try waiting(showing: session.progress) {
            try await location.upgrade(surroundings: surroundings)
        }
        if json.isWanted {
            try session.show(json: upgradeJSON(from: format, location.description))
        } else if let format {
            try session.print("upgraded the store \(visible(location.description)) from format \(format)\n")
        } else {
            try session.print("the store \(visible(location.description)) is up to date\n")
        }
        return .done
    }
}

/// The command `todosync serve store copy`.
struct ServeStoreCopyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Move a store to a database or a folder, even while it is in use.",
        usage: """
            todosync serve store copy --from <store> --to <store> [--json]
            todosync serve store copy --from <store> [--to <store>] --reopen
            """,
        discussion: """
            Example: todosync serve store copy --from store --to postgresql:///todos

            Copies the todos, their history and the keys while servers and clients use the old store. At the end, \
            the old store accepts no writes for a moment: servers answer 503, and clients try again. Once the copy \
            has everything, the old store is closed for good. Then start the servers with the new store: clients \
            continue as if nothing had happened.

            The new store must be an empty folder or a database without tables. If the copy is interrupted, run \
            the same command again to continue. To give up a copy and use the old store again, add --reopen: an \
            incomplete copy is removed if --to names it, and a complete one is closed unless it has changed.
            """)

    @Option(
        help: ArgumentHelp("The store to copy: a folder or a database.", valueName: "store"),
        completion: .directory)
    var from: String

    @Option(
        help: ArgumentHelp(
            "The new store: a folder or a database. With --reopen, by default the one that the store moved to.",
            valueName: "store"),
        completion: .directory)
    var to: String?

    @Flag(help: "Give up the copy, and use the old store again.")
    var reopen = false

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        if to == nil, !reopen { throw ValidationError("the option --to is missing") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let source = try StoreLocation(typed: from, in: session)
        let target = try to.map { try StoreLocation(typed: $0, in: session) }
        if source == target {
            throw Failure(
                .usage, "--from and --to are the same store",
                hint: "copy the store to a different folder or database")
        }
        let surroundings = session.process.forStore
        // A signal must not leave the old store closed for writes.
        Interruption.hold()
        do {
            if reopen {
                let isReopened = try waiting(showing: session.progress) {
                    try await StoreCopy.giveUp(from: source, to: target, surroundings: surroundings)
                }
                try reportReopened(source, isReopened, session)
            } else if let target {
                let summary = try waiting(showing: session.progress) {
                    [progress = session.progress?.report] in
                    try await StoreCopy(from: source, to: target, surroundings: surroundings)
                        .run(reporting: progress)
                }
                try report(summary, source, target, session)
            }
        } catch RemoteError.store(let error) {
            throw error
        } catch is CancellationError where !reopen {
            throw Failure(
                interrupted: "the copy is not complete",
                hint: "run the same command again to continue, or add --reopen to remove the copy")
        } catch let problem as StoreCopyProblem {
            throw Failure(problem)
        }
        return .done
    }

    private func reportReopened(_ source: StoreLocation, _ isReopened: Bool, _ session: Session) throws {
        if json.isWanted {
            try session.show(json: .mapping(["store": .string(source.description)]))
        } else {
            let store = visible(source.description)
            try session.print("the store \(store) is \(isReopened ? "open again" : "already open")\n")
            if !isReopened { session.remark("to remove an incomplete copy, name it with --to") }
        }
    }

    private func report(
        _ summary: StoreCopy.Summary, _ source: StoreLocation, _ target: StoreLocation, _ session: Session
    ) throws {
        if json.isWanted {
            let locations: [(key: String, value: Value)] = [
                (key: "from", value: .string(source.description)),
                (key: "to", value: .string(target.description)),
            ]
            try session.show(json: .mapping(Mapping(locations + summary.members)))
            return
        }
        try session.print(
            """
            moved the store to \(visible(target.description)): \(summary.words)
            \(visible(source.description)) is closed; now start the servers with the new store

            """)
    }
}

extension Failure {
    fileprivate init(_ problem: StoreCopyProblem) {
        switch problem {
        case .otherStore(let path):
            self.init(
                .cannotCreate, "\(visible(path)): another store is already there",
                hint: "choose an empty folder or a database without tables")
        case .inUse(let path):
            self.init(
                .cannotCreate,
                "\(visible(path)): a complete copy of the store, or a store that it was copied from, is already there",
                hint: "remove it, or choose an empty folder or a database without tables")
        case .changed(let path):
            self.init(
                .configuration, "\(visible(path)): the copy was changed since it was made",
                hint: "keep using it, or copy it to a different folder or database")
        case .differs(let part):
            self.init(
                .invalidData, "the copy differs from the store: \(visible(part)); the store is open again",
                hint: "run \"todosync fsck --store\" on both, and try again")
        }
    }
}

/// The command `todosync serve backup`.
struct ServeBackupCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up a store in a folder while it is in use, and check the backup.",
        usage: "todosync serve backup --store <store> --to <dir> [--json]",
        discussion: """
            Example: todosync serve backup --store store --to /backup/2026-12-01

            The backup is a complete store: to restore it, serve it or copy it back. In working directories that \
            have seen newer changes, commands detect the restored store and exit with 78, and nothing is lost. Back \
            up a database with PostgreSQL's own programs.
            """)

    @OptionGroup var store: StoreOption

    @Option(
        help: ArgumentHelp("A new folder for the backup.", valueName: "dir"), completion: .directory)
    var to: String

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        guard case .folder(let path) = try store.location(in: session) else {
            throw Failure(
                .usage, "serve backup works only with a store in a folder",
                hint: "back up the database with PostgreSQL's own programs, such as pg_basebackup")
        }
        if DatabaseAddress(to) != nil {
            throw Failure(
                .usage, "a backup is a folder, not a database",
                hint: "name a new folder; to move the store to a database, run \"todosync serve store copy\"")
        }
        let target = TypedPath(typed: to, currentDirectory: session.currentDirectory).absolute
        let surroundings = session.process.forStore
        let summary: StoreCopy.Summary
        do {
            summary = try waiting { try await Store.backUp(path, to: target, surroundings: surroundings) }
        } catch let error as StoreError where error == .folderNotEmpty(path: target) {
            throw Failure(
                .cannotCreate, visible(error.description), hint: "choose a new folder with --to")
        }
        if json.isWanted {
            try session.show(json: .mapping(Mapping([("to", .string(target))] + summary.members)))
        } else {
            try session.print("backed up the store to \(visible(target)): \(summary.words)\n")
        }
        return .done
    }
}

extension StoreCopy.Summary {
    /// The numbers for a sentence, such as `1 table, 3 todos and 0 keys`.
    var words: String {
        enumeration(
            [counted(tableCount, "table"), counted(recordCount, "todo"), counted(keyCount, "key")], "and")
    }

    /// The numbers as members of an object.
    var members: [(key: String, value: Value)] {
        [
            (key: "tables", value: .number(Number(tableCount))),
            (key: "todos", value: .number(Number(recordCount))),
            (key: "keys", value: .number(Number(keyCount))),
        ]
    }
}
