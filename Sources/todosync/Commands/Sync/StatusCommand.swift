internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import Values

/// The command `todosync status`.
struct StatusCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show pending changes, conflicts and invalid files.",
        usage: """
            todosync status [--all] [--json] [--verbose]
            todosync status --porcelain=v1 [-z]
            """,
        discussion:
            """
            Example: todosync status

            Needs no remote and changes nothing. At a terminal, cuts long lists to one screenful; --all shows \
            them in full. With --verbose, also lists the files that it ignores, and \
            reports if git lacks the merge driver that "todosync git-setup" installs.

            --porcelain=v1 prints a line for each todo that has something to report, in a form that never changes: \
            two letters, a space, and the path from the root of the working directory. The first letter is what is \
            pending: A a new todo, M a changed one, R a moved one ("OLD -> NEW"), D a deleted one. The second is \
            what needs your attention: U a conflict, I an invalid file, = a file with a duplicate id, + a copy that \
            another tool made, H a todo held because of git, B one that needs no decision on this branch, - the same without \
            a file, ! a held one whose file can't be read or written, W a change that a guard holds. A path with spaces or special characters is in \
            quotes, as in C. -z ends each line in NUL, quotes nothing, and prints a moved todo's paths as NEW, NUL, \
            OLD.
            """)

    @Flag(help: "Show all todos, however many there are.")
    var all = false

    @Option(
        defaultAsFlag: PorcelainFormat.v1.rawValue,
        help: ArgumentHelp(
            "Print one line for each todo, for scripts; the only format is v1.", valueName: "format"),
        completion: .list(PorcelainFormat.allCases.map(\.rawValue)))
    var porcelain: String?

    @Flag(name: .customShort("z"), help: "With --porcelain, end each line in NUL, and quote no path.")
    var endsInNul = false

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        // The parser would treat an unknown format as a missing one.
        if let porcelain, PorcelainFormat(rawValue: porcelain) == nil {
            throw ValidationError("there is no format '\(porcelain)' for --porcelain; use v1")
        }
        if json.isWanted, porcelain != nil || endsInNul {
            throw ValidationError("use either --json or --porcelain")
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        var report = try workspace.status()
        keepUntilExit(report)
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else if porcelain != nil || endsInNul {
            try session.show(todosync.porcelain(report, endsInNul: endsInNul))
        } else {
            if session.isVerbose {
                report.lacksMergeDriver = try MergeDriverUse(workspace)?.lacksDriver() ?? false
            }
            var style = session.style(in: workspace)
            if all { style.height = nil }
            try session.show(render(report, now: session.process.now(), style))
        }
        return .done
    }
}

/// The command `todosync prompt`.
struct PromptCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "prompt",
        abstract: "Print a line for your shell's prompt.",
        usage: "todosync prompt [--json]",
        discussion: """
            Example: PS1='$(todosync prompt) \\$ '

            Prints how many changes are pending, how many conflicts are open, how many todos wait because their files \
            can't be read or written, and how long ago the last sync was: "2 pending, 1 conflict, synced 3h ago". \
            Outside a working directory it prints nothing, and it never \
            prints an error, so that it can be part of every prompt.

            To be fast, it does not scan the folder, unless one of the files that it reads is missing, is \
            ignored or is not a todo. It reads only the files that todosync's commands changed, and 100 of them at most: "100+ pending" \
            means that more changes might be pending. It does not see what an editor changed; "todosync status" does.
            """)

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        // An error before each prompt would be in the way; other commands report it.
        guard let glance = try? Glance(of: session.workspace()) else { return .done }
        if json.isWanted {
            try session.show(json: todosync.json(glance))
        } else {
            try session.show(render(glance, now: session.process.now()))
        }
        return .done
    }
}
