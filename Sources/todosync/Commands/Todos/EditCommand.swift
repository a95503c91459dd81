internal import ArgumentParser
internal import SyncEngine

/// The command `todosync edit TODO`.
struct EditCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Open a todo's file in your editor.",
        usage: "todosync edit <todo>",
        discussion: """
            Example: todosync edit hello-world-3.yaml

            Opens the file in $VISUAL, else $EDITOR, else vi. If the file is not a valid todo afterward, \
            todosync asks whether to edit it again. What you wrote stays in the file in any case.

            A conflicted todo opens with its conflict markers. If none are left afterward, todosync asks whether \
            to resolve the conflict, as "todosync resolve" does.

            Exit status: 0 done, 1 the todo still has a conflict, 65 the file is not a valid todo, 66 no such \
            todo, 74 the editor can't be started or ended with an error.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let located = try workspace.open(session.todoNames([todo], in: workspace)[0])
        let editor = Editor(session.process)
        let style = session.style(in: workspace)
        if located.wasOlder { session.warn(["\(style.path(located.path)): \(Advice.newestIsOpened)"]) }
        while true {
            try editor.edit(located.absolutePath)
            guard let problem = try workspace.problem(inFileAt: located.path) else { break }
            let failure = Failure(
                .invalidData, line(located.path, problem, style),
                hint: "what you wrote is in the file; run \"todosync edit\" to fix it")
            guard let terminal = Terminal(session.process) else { throw failure }
            terminal.print(line(located.path, problem, style))
            guard terminal.confirms("edit again? [Y/n] ") else { throw failure }
        }
        // An edit that can't be recorded is still in the file.
        try? workspace.logEdit(of: located)
        var edited = try ReportRow(since: located, in: workspace)
        let status = try workspace.status()
        let conflict = status.conflicts.first { $0.id == located.id }
        if json.isWanted {
            if conflict != nil { edited.notes.insert(.conflictLeft) }
            try session.show(json: todosync.json([edited], status.names))
            return conflict == nil ? .done : .needsUser
        }
        if edited.operation != nil { try session.print(confirmations([edited], "changed", style)) }
        guard let conflict else {
            if let command = edited.gitCommand {
                try session.print(gitHint(command, [edited.path], style))
            }
            return .done
        }
        if !conflict.hasMarkers, conflict.obstacle == nil, let terminal = Terminal(session.process) {
            terminal.print("\(style.path(located.path)) has no conflict markers left")
            if terminal.confirms("resolve it now? [Y/n] ") {
                return try ResolveCommand.parse([located.absolutePath]).run(in: session)
            }
        }
        session.warn([
            "conflict: \(style.path(located.path)) is not resolved yet",
            "hint: \(Advice.about([conflict], style))",
        ])
        return .needsUser
    }
}
