internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// The command `todosync done TODO…`.
struct DoneCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "done",
        abstract: "Mark todos as done.",
        usage: """
            todosync done <todo>...
            todosync done [--yes] <filter>...
            """,
        discussion: """
            Example: todosync done tag:shop "due<today"

            Sets complete to true in each file.

            \(FilterArgument.manyTodos)
            """)

    @Argument(help: TodoArgument.helpWithFilter, completion: TodoArgument.completion)
    var todos: [String]

    @OptionGroup var change: ChangeArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let changes = ManyChanges(action: { "mark \($0) as done" }, word: "done") { $0.isComplete ? nil : "" }
        try change.run(todos, changes, in: session) { workspace, names in
            try workspace.change(names, set: [(FieldName.complete, .bool(true))], unset: [])
        }
        return .done
    }
}

/// The command `todosync reopen TODO…`.
struct ReopenCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "reopen",
        abstract: "Mark todos as open again.",
        usage: """
            todosync reopen <todo>...
            todosync reopen [--yes] <filter>...
            """,
        discussion: """
            Example: todosync reopen tag:shop "due>today"

            Sets complete to false in each file.

            \(FilterArgument.manyTodos)
            """)

    @Argument(help: TodoArgument.helpWithFilter, completion: TodoArgument.completion)
    var todos: [String]

    @OptionGroup var change: ChangeArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let changes = ManyChanges(action: { "mark \($0) as open" }, word: "reopened", isAboutDone: true) {
            $0.isComplete ? "" : nil
        }
        try change.run(todos, changes, in: session) { workspace, names in
            try workspace.change(names, set: [(FieldName.complete, .bool(false))], unset: [])
        }
        return .done
    }
}

/// The command `todosync skip TODO…`.
struct SkipCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Skip an occurrence of a recurring todo.",
        usage: "todosync skip <todo>...",
        discussion: """
            Example: todosync skip "water the plants"

            Moves the due date to the next occurrence that the field every defines, and leaves the todo open. A \
            todo without a due date gets one.

            Exit status: 0 done, 1 a todo has a conflict, 64 a todo is done or doesn't recur, 65 a todo is \
            not valid, 66 no such todo, 73 or 74 a file can't be read or written, 75 another todosync is \
            running here.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String]

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let changed = try workspace.skip(session.todoNames(todos, in: workspace))
        if json.isWanted {
            try session.show(json: todosync.json(changed, TodoNames(of: workspace)))
        } else {
            let lines = changed.map { ("skipped", Optional($0.textWithDue), $0.path) }
            try session.print(confirmations(lines, session.style(in: workspace)))
        }
        return .done
    }
}

/// The command `todosync snooze TODO DATE`.
struct SnoozeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "snooze",
        abstract: "Hide a todo from list and next until a date.",
        usage: "todosync snooze <todo> <date>...",
        discussion: """
            Example: todosync snooze "water the plants" next week

            Sets the field start. "todosync list is:waiting" lists the todos that start later. To list a todo again \
            at once, run "todosync unset <todo> start".

            Exit status: 0 done, 1 the todo has a conflict, 64 the date can't be read, 65 the todo is not valid, 66 no \
            such todo, 73 or 74 a file can't be read or written, 75 another todosync is running here.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String

    @Argument(
        help: ArgumentHelp("The first day on which it is listed: fri, +3d, next week.", valueName: "date"))
    var date: [String]

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let start = FieldChange(try session.assignment(of: FieldName.start, date.joined(separator: " ")))
        let workspace = try session.workspace(lock)
        let changed = try workspace.change(session.todoNames([todo], in: workspace), by: [start].apply)
        if json.isWanted {
            try session.show(json: todosync.json(changed, TodoNames(of: workspace)))
        } else {
            try session.print(confirmations(changed, "snoozed", session.style(in: workspace)))
        }
        return .done
    }
}

/// The command `todosync tick TODO ITEM…`.
struct TickCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "tick",
        abstract: "Tick items of a todo's checklist.",
        usage: "todosync tick [--undo] <todo> <item>...",
        discussion: """
            Example: todosync tick party.yaml 2

            Name an item by its number. The first is 1. If several fields of the todo are checklists, name the field, \
            too: packing.2. The items of a checklist are mappings with a boolean done, complete or checked; the \
            command changes the one that the items of the list use. Items that have only a text get the field done.

            Exit status: 0 done, 1 the todo has a conflict, 64 there is no such item, or there are several \
            checklists, 65 the todo is not valid or has no checklist, 66 no such todo, 73 or 74 a file can't \
            be read or written, 75 another todosync is running here.
            """)

    @Flag(help: "Untick the items.")
    var undo = false

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String

    @Argument(help: ArgumentHelp("Numbers of items, such as 2 or packing.2.", valueName: "item"))
    var items: [String]

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let ticks = try items.map { item in
            guard let tick = Tick(item: item, isTicked: !undo) else {
                throw Failure(
                    .usage, "'\(visible(item))' is not an item number", hint: "items count from 1")
            }
            return tick
        }
        let workspace = try session.workspace(lock)
        let changed = try workspace.change(session.todoNames([todo], in: workspace)) {
            (fields) throws(FieldChangeProblem) in
            for tick in ticks { try tick.apply(to: &fields) }
        }
        if json.isWanted {
            try session.show(json: todosync.json(changed, TodoNames(of: workspace)))
        } else {
            let word = changed[0].operation == nil ? "unchanged" : undo ? "unticked" : "ticked"
            let numbers = items.map(visible).joined(separator: ", ")
            let text = "\(changed[0].text ?? ""), \(items.count == 1 ? "item" : "items") \(numbers)"
            try session.print(confirmations([(word, text, changed[0].path)], session.style(in: workspace)))
        }
        return .done
    }
}
