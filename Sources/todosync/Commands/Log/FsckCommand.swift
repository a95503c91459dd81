internal import ArgumentParser
internal import Remotes
internal import SyncEngine
internal import TodoModel

/// The command `todosync fsck`.
struct FsckCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "fsck",
        abstract: "Check .todosync, or a store, for damage.",
        usage: """
            todosync fsck [--repair]
            todosync fsck --store <store> [--repair]
            """,
        discussion: """
            Example: todosync fsck --repair

            Checks everything in .todosync: whether the journal is complete and in order, whether the records of \
            each todo are correct, and whether a command was interrupted. --repair repairs what it can without \
            losing anything. Before it removes anything, it saves a copy in .todosync.

            With --store, checks the database of a store instead. --repair then builds a new database from \
            everything readable in the damaged one, and keeps the damaged one beside it. Unreadable records come \
            back from the working directories: the next push, pull or sync in each exits with 78 and reports that \
            the store "was restored to an older state". Then run "todosync remote set-url origin URL" and \
            "todosync sync" there. A PostgreSQL database can be checked, but not repaired.

            Exit status: 0 no damage was found or the store was repaired, 1 a problem was found, 65 the \
            store is damaged, 66 no such store, 73 or 74 a file can't be read or written, 75 another \
            todosync is running here or is using the store.
            """)

    @Flag(help: "Repair what the check finds.")
    var repair = false

    @Option(
        help: ArgumentHelp(
            "Check this store instead: a folder, or a PostgreSQL database.", valueName: "store"),
        completion: .directory)
    var store: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        if let store { return try check(store: store, session) }
        let workspace = try session.workspace(lock)
        let report = try workspace.check(repairs: repair)
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else {
            try session.print(render(report))
        }
        session.warn(warnings(report))
        return report.isHealthy ? .done : .needsUser
    }

    private func check(store: String, _ session: Session) throws -> ExitStatus {
        let location = try StoreLocation(typed: store, in: session)
        let hint: String
        switch location {
        case .folder(let path):
            if repair { return try repair(store: path, session) }
            hint = Advice.damagedStore
        case .database:
            if repair {
                throw Failure(
                    .usage, "--repair works only with a store in a folder",
                    hint: "leave out --repair to check a database")
            }
            hint = Advice.damagedDatabase
        }
        let opened = try location.open(in: session)
        let problems = try waiting(showing: session.progress) {
            try await opened.problems(reporting: session.progress?.report)
        }
        if json.isWanted { try session.show(json: storeJSON(found: problems)) }
        if problems.isEmpty {
            if !json.isWanted { try session.print("all is well\n") }
            return .done
        }
        session.warn(problems.map { "found: \(visible($0))" })
        throw Failure(.invalidData, "the store \(visible(opened.path)) is damaged", hint: hint)
    }

    private func repair(store path: String, _ session: Session) throws -> ExitStatus {
        let surroundings = session.process.forStore
        let problems = try waiting(showing: session.progress) {
            try await Store.problems(
                at: path, surroundings: surroundings, reporting: session.progress?.report)
        }
        if problems.isEmpty {
            if json.isWanted {
                try session.show(json: storeJSON(found: []))
            } else {
                try session.print("all is well\n")
            }
            return .done
        }
        session.warn(problems.map { "found: \(visible($0))" })
        let timeout = lock.timeout
        let repair = try waiting(showing: session.progress) {
            do {
                return try Store.repair(at: path, surroundings: surroundings, timeout: timeout)
            } catch let error as StoreError where error == .busy(path: path) {
                throw Failure(
                    .busy, visible(error.description),
                    hint:
                        "stop the programs that use the store, such as \"todosync serve\", and try again; or "
                        + "wait longer with --lock-timeout SECONDS")
            }
        }
        if json.isWanted {
            try session.show(json: storeJSON(found: problems, repair))
        } else {
            try session.print(render(repair))
        }
        return .done
    }
}
