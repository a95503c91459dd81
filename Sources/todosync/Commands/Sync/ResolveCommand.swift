internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// The command `todosync resolve [TODO…]`.
struct ResolveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Resolve conflicts.",
        usage: """
            todosync resolve [<todo>...]
            todosync resolve --use local|remote|base [--field <name>]... (--all | <todo>...)
            todosync resolve --union [<todo>...]
            todosync resolve --again [<todo>...]
            todosync resolve --abort [<todo>...]
            todosync resolve --interactive [<todo>...]
            todosync resolve [<todo>...] --tool [<name>]
            todosync resolve --adopt [--dry-run] [<todo>...]
            """,
        discussion: """
            Example: todosync resolve hello-world-3.yaml --use local

            Without options, accepts every conflicted file without markers as your answer. --use takes one side \
            for the blocks that are still in the file and changes nothing else; with --field, it resolves only \
            that field. If you name no todo and there are several conflicts, --use lists them and asks first; without a \
            terminal, add --all. If you name a todo by words or by a prefix of its file's name, --use asks first; without \
            a terminal, add --yes. --union keeps the items of both sides in lists, and the lines of both sides \
            in notes. The operation log keeps the replaced text, so you can restore it. --tool starts one of the \
            tools that "git mergetool" supports ("git mergetool --tool-help" lists them). Without a name, it \
            starts the tool that git's merge.tool names.

            todosync remembers what you choose for each value; "todosync resolutions" lists it. --again resolves \
            a block as before if you have already resolved a conflict of the same todo with the same base, local \
            and remote values. It does not matter which of the two sides was local. Other blocks stay in \
            the file.

            Conflict markers that "git merge", "git rebase", "git cherry-pick" or "git stash pop" left in a todo \
            are conflicts, too. There, local is the first side in the file and remote the second; "todosync \
            status" shows where each comes from. --use, --interactive and --tool resolve them and print what to \
            "git add". A plain "todosync resolve" does the same after you have removed the markers yourself.

            --adopt merges the copies that Syncthing, Dropbox, Nextcloud, OneDrive, iCloud and others make of a \
            todo's file when two devices change it, such as "milk (conflicted copy 2026-11-22).yaml". Name a \
            copy, or the todo for all of its copies. Each copy is merged with the todo's file, with the \
            newest version that both can come from as the base, and then removed; "todosync undo" brings it \
            back. A value that both changed gets markers, with the copy as the remote side. If you name no copy \
            and there are more than ten copies, todosync asks first. To keep a copy as a separate todo, run \
            "todosync add" instead.

            Exit status: 0 all resolved, 1 you answered no, a conflict or a copy is left, or a named todo \
            has none, 64 there is no terminal for a prompt, 66 no such todo, 73 or 74 a file can't be read \
            or written, 75 another todosync is running here.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String] = []

    @Option(help: ArgumentHelp("Use this side for the blocks that are still in the file.", valueName: "side"))
    var use: Side?

    @Option(
        name: .customLong("field"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("With --use, resolve only this field; can be repeated.", valueName: "name"))
    var fields: [String] = []

    @Flag(help: "With --use, resolve all conflicts without asking.")
    var all = false

    @Flag(help: "Keep what both sides have, in lists and notes.")
    var union = false

    @Flag(help: "Resolve blocks as you resolved the same conflict before.")
    var again = false

    @Flag(help: "Restore the local file from before the merge; its changes stay pending.")
    var abort = false

    @Flag(name: .shortAndLong, help: "Ask at the terminal for each conflict.")
    var interactive = false

    @Option(
        defaultAsFlag: MergeToolChoice(name: nil),
        help: ArgumentHelp("Open each conflicted file in this merge tool.", valueName: "name"))
    var tool: MergeToolChoice?

    @Flag(help: "Merge the copies that other tools made of todos' files.")
    var adopt = false

    @Flag(help: "With --adopt, show what would happen, and change nothing.")
    var dryRun = false

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        let ways = [use != nil, union, again, abort, interactive, tool != nil, adopt].count { $0 }
        if ways > 1 {
            throw ValidationError(
                "use only one of --use, --union, --again, --abort, --interactive, --tool and --adopt")
        }
        if !fields.isEmpty, use == nil { throw ValidationError("--field is only for --use") }
        if all, use == nil || !todos.isEmpty {
            throw ValidationError("--all is only for --use, and takes no names")
        }
        if dryRun, !adopt { throw ValidationError("--dry-run is only for --adopt") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        if adopt {
            return try Adopting(
                session: session, workspace: workspace, isDryRun: dryRun, confirmation: confirmation,
                json: json
            ).run(todos)
        }
        let resolution = try resolution(in: session)
        let names =
            if let use, todos.isEmpty, !all {
                try conflictsToReplace(with: use, in: workspace, session)
            } else if use != nil {
                try session.confirmedNames(
                    todos, to: { "replace the conflicting parts of \($0)" }, confirmation, in: workspace)
            } else {
                session.todoNames(todos, in: workspace)
            }
        let report = try workspace.resolve(names, resolution)
        let style = session.style(in: workspace)
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else {
            try session.print(render(report, isAbort: abort, style))
        }
        session.warn(warnings(report, style))
        if report.isStopped {
            throw Failure(
                interrupted: "\(counted(report.resolved.count, "conflict")) resolved; "
                    + "run the same command again for the others")
        }
        if let failure = Failure(leaving: report.unresolved.compactMap(\.cause)) { throw failure }
        return report.unresolved.isEmpty ? .done : .needsUser
    }

    /// Returns the names of the todos whose conflicts a side decides; none stand for all.
    ///
    /// - Throws: A ``Failure`` if there are several conflicts and the user doesn't confirm them.
    private func conflictsToReplace(
        with side: Side, in workspace: Workspace, _ session: Session
    ) throws -> [String] {
        let conflicts = try workspace.conflicts()
        guard conflicts.count > 1 else { return [] }
        let action = "use the \(side.rawValue) side for \(counted(conflicts.count, "conflict"))"
        let style = session.style(in: workspace)
        let lines = conflicts.map {
            "  \(style.path($0.path)): \($0.fields.map(visible).joined(separator: ", "))"
        }
        guard let terminal = session.terminal(confirmation) else {
            throw Failure(
                .usage, "this would \(action); nothing was changed", details: lines,
                hint: "name a todo, or add --all; \"todosync resolve -i\" asks about each conflict")
        }
        terminal.print(lines.joined(separator: "\n"))
        guard terminal.confirms("\(action)? [y/N] ", isYesDefault: false) else {
            throw Failure(declined: "nothing was changed")
        }
        return conflicts.map(\.id.string)
    }

    private func resolution(in session: Session) throws -> Resolution {
        if let use {
            let answers = fields.map { (ByteKey($0), FieldAnswer.take(use)) }
            return fields.isEmpty ? .use(use) : .fields(Dictionary(answers) { first, _ in first })
        }
        if union { return .union }
        if again { return .again }
        if abort { return .abort }
        if interactive { return .ask(try ConflictPrompt.atTerminal(of: session).ask) }
        if let tool { return .merge(try MergeTool(named: tool.name, process: session.process).merge) }
        return .file
    }
}

/// The value of `--tool`: a tool's name, or nothing for the tool that git is configured to use.
struct MergeToolChoice: ExpressibleByArgument, CustomStringConvertible {
    let name: String?

    init(name: String?) { self.name = name }
    init(argument: String) { name = argument }

    var description: String { name ?? "git's merge.tool" }
}

extension Side: ExpressibleByArgument {
    /// The values of `--use`, in the order of the help.
    package static var allValueStrings: [String] { [Side.local, .remote, .base].map(\.rawValue) }
}

/// `todosync resolve --adopt`: merges the copies that other tools made of todos' files.
struct Adopting {
    let session: Session
    let workspace: Workspace
    let isDryRun: Bool
    let confirmation: ConfirmationOptions
    let json: JSONOption

    /// The largest number of copies to merge without a prompt.
    private static let harmlessCount = 10

    func run(_ typed: [String]) throws -> ExitStatus {
        let report = try workspace.adopt(
            session.todoNames(typed, in: workspace), AdoptOptions(isDryRun: isDryRun, confirm: confirm))
        if report.isCancelled { throw Failure(declined: "nothing was changed") }
        let style = session.style(in: workspace)
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else {
            try session.print(render(report, isDryRun: isDryRun, style))
        }
        session.warn(warnings(report, isDryRun: isDryRun, style))
        if let failure = Failure(leaving: report.unresolved.compactMap(\.cause)) { throw failure }
        return report.needsUser ? .needsUser : .done
    }

    /// Asks whether to merge the copies, if there are many.
    private func confirm(_ copies: [CopiedFile]) throws -> Bool {
        guard copies.count > Self.harmlessCount, !confirmation.yes else { return true }
        guard let terminal = session.terminal(confirmation) else {
            throw Failure(
                .usage, "can't ask for confirmation without a terminal; nothing was changed",
                hint: "add --yes, or run \"todosync resolve --adopt --dry-run\" to list "
                    + "the \(copies.count.grouped) copies")
        }
        return terminal.confirms(
            "merge \(copies.count.grouped) copies into their todos, and remove them? [Y/n] ")
    }
}

/// Asks whether a working directory's first push may write ids into files that todosync didn't create.
///
/// - Throws: A ``Failure`` if the user declines.
func askAboutAdoption(of paths: [String], at terminal: Terminal, _ style: Style) throws {
    let shown = paths.prefix(style.isVerbose ? paths.count : 10)
    var lines = [
        "\(counted(paths.count, "file")) here \(paths.count == 1 ? "is a todo" : "are todos") without an id:"
    ]
    lines += shown.map { "  " + style.path($0) }
    if shown.count < paths.count { lines.append("  and \(paths.count - shown.count) more") }
    terminal.print(lines.joined(separator: "\n"))
    let question =
        "write an id into \(paths.count == 1 ? "it" : "each"), and send \(paths.count == 1 ? "it" : "them")? [Y/n] "
    if terminal.confirms(question) { return }
    if Interruption.status != nil { throw CancellationError() }
    throw Failure(
        .declined, "nothing was changed or sent",
        hint:
            "run \"todosync push TODO\" to send only that todo; to exclude files, list them in .todosyncignore "
            + "or set include in .todosync/config.yaml")
}
