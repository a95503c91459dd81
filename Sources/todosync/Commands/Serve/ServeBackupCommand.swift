internal import ArgumentParser
internal import LosslessYAML
internal import Remotes
internal import TodoModel

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
    @OptionGroup var global: GlobalOptions

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
            try session.say("backed up the store to \(visible(target)): \(summary.words)\n")
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
