internal import ArgumentParser
internal import Remotes
internal import SyncEngine

/// The command `todosync fsck`.
struct CheckCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "fsck",
        abstract: "Check what todosync remembers, or a store.",
        usage: """
            todosync fsck [--repair]
            todosync fsck --store <dir> [--repair]
            """,
        discussion: """
            Checks everything in .todosync: that the journal can be read to its end, in an order that makes sense, \
            that what is remembered of each todo is right, and that no command was interrupted. --repair \
            repairs what can be repaired without losing anything, and keeps a copy of what it cuts off in .todosync.

            With --store, checks the database of a store instead. --repair then makes a new database from everything \
            that can be read of the damaged one, and keeps the damaged one beside it. Records that can't be read come \
            back from the working directories: the next push, pull or sync in each ends with 78 and the message that \
            the store "was put back to an older state"; then run "todosync remote set-url origin URL" and \
            "todosync sync" there.

            Exit status: 0 all is well or the store was repaired, 1 something was found, 65 the store is damaged, 75 another \
            todosync is at work here or uses the store.
            """)

    @Flag(help: "Repair what was found.")
    var repair = false

    @Option(help: ArgumentHelp("Check this store.", valueName: "dir"), completion: .directory)
    var store: String?

    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        if let store { return try check(store: store, session) }
        let workspace = try session.workspace(lock)
        let report = try workspace.check(repairs: repair)
        try session.say(render(report))
        session.warn(warnings(report))
        return report.isHealthy ? .done : .needsUser
    }

    private func check(store: String, _ session: Session) throws -> ExitStatus {
        let path = TypedPath(typed: store, currentDirectory: session.currentDirectory).absolute
        if repair { return try repair(store: path, session) }
        let store = try openStore(at: path, session.process)
        let problems = try waiting { try await store.problems() }
        if problems.isEmpty {
            try session.say("all is well\n")
            return .done
        }
        session.warn(problems.map { "found: \(visible($0))" })
        throw Failure(.invalidData, "the store \(visible(path)) is damaged", hint: Advice.damagedStore)
    }

    private func repair(store path: String, _ session: Session) throws -> ExitStatus {
        let surroundings = session.process.forStore
        let problems = try waiting { try await Store.problems(at: path, surroundings: surroundings) }
        if problems.isEmpty {
            try session.say("all is well\n")
            return .done
        }
        session.warn(problems.map { "found: \(visible($0))" })
        let timeout = lock.timeout
        let repair = try waiting {
            do {
                return try await Store.repair(at: path, surroundings: surroundings, timeout: timeout)
            } catch let error as StoreError where error == .busy(path: path) {
                throw Failure(
                    .busy, visible(error.description),
                    hint: "stop what uses the store, such as todosync serve, and try again; or wait longer "
                        + "with --lock-timeout SECONDS")
            }
        }
        try session.say(render(repair))
        return .done
    }
}
