internal import ArgumentParser
internal import SyncEngine

/// The command `todosync purge`.
struct PurgeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Remove done todos from this folder; they stay on the remote.",
        usage: """
            todosync purge [<options>] [<todo>...]
            todosync purge --undo [--dry-run] [--json] [<todo>...]
            """,
        discussion: """
            Example: todosync purge --before 90d

            Removes the files of done todos from this folder: all of them, those that have been done for a \
            time (--before), or those that you name. Nothing is deleted on the remote, and other machines keep \
            their files. todosync lists the todos and asks first; without a terminal, and with --json, it needs \
            --yes. "todosync purge --undo" brings the files back, all of them or those that you name.

            Todos with pending changes, a conflict, or a waiting change from the remote are not purged. Todos \
            whose files git tracks are not purged either: git would treat the files as deleted.

            A purged todo is not pending, and "list" does not show it, not even with --all. If somebody reopens \
            it, the next pull brings back its file. If you put back the file yourself, the todo is no longer \
            purged. If .todosync is lost, the next pull brings back all files.

            The operation log shows how long a todo has been done. One that was done when it came to this folder \
            counts as done since then. --undo --dry-run lists the purged todos.

            Exit status: 0 done, or nothing to do, 1 you answered no, or a named todo can't be purged, 64 \
            there is no terminal and no --yes, 66 no such todo, or it was not purged, 73 or 74 a file can't \
            be read or written, 75 another todosync is running here.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String] = []

    @Option(
        help: ArgumentHelp(
            "Purge only todos done before this date, such as 2026-11-01, or at least this long ago, such as 90d or 12w.",
            valueName: "date"))
    var before: String?

    @Flag(help: "Bring back purged todos.")
    var undo = false

    @Flag(help: "Purge without asking.")
    var yes = false

    @Flag(name: [.customShort("n"), .long], help: "Show what would be done, but change nothing.")
    var dryRun = false

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        if undo, before != nil { throw ValidationError("--undo can't be combined with --before") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let before = try before.map(session.pastTime)
        let workspace = try session.workspace(lock)
        let style = session.style(in: workspace)
        let names = session.todoNames(todos, in: workspace)
        let report: PurgeReport
        if undo {
            report = try workspace.undoPurge(names, isDryRun: dryRun)
        } else {
            report = try workspace.purge(
                PurgeOptions(
                    todos: names, age: before.map { session.dates.now - $0.seconds }, isDryRun: dryRun
                ) { report in
                    try isConfirmed(report, session, style)
                })
        }
        if report.isCancelled { throw Failure(declined: "nothing was purged") }
        if json.isWanted {
            try session.show(json: todosync.json(report, isUndo: undo))
        } else {
            try session.print(render(report, isUndo: undo, isDryRun: dryRun, style))
        }
        if report.stopped > 0 {
            let count = counted(report.stopped, "todo")
            throw Failure(interrupted: "\(count) left; run the same command again for the rest")
        }
        return .done
    }

    private func isConfirmed(_ report: PurgeReport, _ session: Session, _ style: Style) throws -> Bool {
        if yes { return true }
        let count = report.todos.count
        guard !json.isWanted, let terminal = Terminal(session.process) else {
            throw Failure(
                .usage,
                "can't ask for confirmation without a terminal; nothing was purged",
                hint: "run the command with --yes, or with --dry-run to list "
                    + (count == 1 ? "it" : "the \(counted(count, "todo"))"))
        }
        terminal.output.writeIgnoringErrors(table(of: report, word: "will be purged", style))
        let (these, they) =
            count == 1 ? ("this todo", "It stays") : ("these \(count.grouped) todos", "They stay")
        return terminal.confirms("purge \(these) from this folder? \(they) on the remote. [Y/n] ")
    }
}
