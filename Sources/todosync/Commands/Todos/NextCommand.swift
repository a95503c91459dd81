internal import ArgumentParser
internal import SyncEngine
internal import TodoModel
internal import Values
internal import WorkingCopy

/// The command `todosync next [FILTER…]`.
struct NextCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Show what to do first, and why.",
        usage: "todosync next [--limit <count>] [--json] [<filter>...]",
        discussion: """
            Example: todosync next tag:home --limit 3

            Each open todo has points: 12 if it is overdue, 10 if it is due today, 8 for tomorrow and one less \
            for each day after it, down to 2 in seven days; 6 for a high priority, 3 for a medium one, -2 for a \
            low one; and one for each 30 days that this folder has tracked the todo, up to 3. The todo with the \
            most points comes first. Todos with the same points are in the order of "todosync list".

            \(FilterArgument.terms)
            """)

    @Argument(help: FilterArgument.help)
    var filter: [String] = []

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Show up to <count> todos.", valueName: "count"))
    var limit = 10

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be 1 or more") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let filter = try session.filter(filter, isQuiet: json.isWanted, in: workspace)
        let found = try session.find(filter, in: workspace)
        let open = found.filter { !$0.isComplete }
        let todos = UrgentTodo.ordered(open, known: try known(in: workspace), Present(session.dates))
        let shown = Array(todos.prefix(limit))
        if json.isWanted {
            try session.show(json: todosync.json(shown))
            return .done
        }
        try session.show(render(shown, session.style(in: workspace)))
        if todos.isEmpty {
            session.remark(
                filter.terms.isEmpty
                    ? "no open todos" : found.isEmpty ? "no matching todos" : "no matching open todos")
        }
        if todos.count > limit { session.remark("and \(todos.count - limit) more (--limit)") }
        return .done
    }

    /// Returns the time of the first operation on each todo in this folder.
    private func known(in workspace: Workspace) throws -> [TodoID: Instant] {
        var known: [TodoID: Instant] = [:]
        // The oldest operation comes last.
        for operation in try workspace.log(nil) {
            guard let time = Instant(operation.time) else { continue }
            for todo in operation.todos { known[todo.id] = time }
        }
        return known
    }
}
