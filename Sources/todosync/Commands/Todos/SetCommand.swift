internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values

/// The command `todosync set TODO KEY=VALUE…`.
struct SetCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change fields of a todo.",
        usage: """
            todosync set <todo> <key>=<value>...
            todosync set [--yes] <filter>... <key>=<value>...
            """,
        discussion: """
            Example: todosync set buy-milk.yaml due=2026-12-01 tags+=shop,home

            Only the lines of these fields change. 5 is a number, true is a boolean, and what isn't JSON is a \
            string: no, 01234, +49301234, 0x1f. text, notes, due and priority are always strings. tags takes a comma-separated list. A value that begins \
            with [ or { is YAML. due takes a date as people type it: today, fri, +3d, next week, in 2 weeks, \
            1 dec, "tomorrow 17:00", 2026-12-01T17:00.

            tags+=shop adds to a list, and tags-=shop removes from it; several values are separated by commas. \
            notes+=TEXT adds a line. A dot leads into a field: address.city=Bonn, checklist.2.done=true. Items \
            count from 1. The last part of such a path can be new, but the parts before it must exist. A key \
            that itself contains dots takes precedence.

            Exit status: 0 done, 1 you answered no, or a todo has a conflict, 64 a field can't have this \
            value or name, or there is no terminal and no --yes, 65 a todo is not valid, or a value isn't a \
            list or has no parts, 66 no such todo, 73 or 74 a file can't be read or written, 75 another \
            todosync is running here.

            \(FilterArgument.manyTodos)
            """)

    @Argument(help: TodoArgument.helpWithFilter, completion: TodoArgument.completion)
    var todo: String

    @Argument(help: ArgumentHelp("Fields and their new values.", valueName: "key=value"))
    var assignments: [String] = []

    @OptionGroup var change: ChangeArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let (todos, assignments) = try session.separated(todo, assignments)
        if assignments.isEmpty {
            throw todo.contains("=") && todos == [todo]
                ? Failure(
                    .usage, "missing todo or filter before \(visible(shellQuoted(todo)))",
                    hint: "name the todo first: todosync set milk \(visible(shellQuoted(todo)))")
                : Failure(.usage, "there is nothing to set", hint: "name a field and its value: KEY=VALUE")
        }
        if assignments.contains(where: { !$0.contains("=") }),
            let term = todos.lazy.compactMap(FilterForm.init).first(where: { $0.comparison == .equal })
        {
            let (typed, meant) = ("\(term.field):\(term.value)", "\(term.field)=\(term.value)")
            throw Failure(
                .usage, "\(visible(shellQuoted(typed))) is a term of a filter, not a field and its value",
                hint: "type \(visible(shellQuoted(meant))) to set the field")
        }
        let fields = try assignments.map(session.change)
        let changed = try change.run(todos, .ofFields(fields), in: session) { workspace, names in
            try workspace.change(names, by: fields.apply)
        }
        session.warn(warnings(of: changed))
        return .done
    }
}

/// The command `todosync unset TODO KEY…`.
struct UnsetCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Remove fields from a todo.",
        usage: """
            todosync unset <todo> <key>...
            todosync unset [--yes] <filter>... <key>...
            """,
        discussion: """
            Example: todosync unset buy-milk.yaml due address.city

            A dot leads into a field: address.city, checklist.2. Items count from 1. The command ignores \
            fields that the todo lacks.

            \(FilterArgument.manyTodos)
            """)

    @Argument(help: TodoArgument.helpWithFilter, completion: TodoArgument.completion)
    var todo: String

    @Argument(help: ArgumentHelp("Fields to remove.", valueName: "key"))
    var fields: [String] = []

    @OptionGroup var change: ChangeArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let (todos, fields) = try session.separated(todo, fields)
        if fields.isEmpty {
            throw Failure(
                .usage, "there is nothing to remove",
                hint: "name the todo or a filter, and then its fields: todosync unset milk due")
        }
        let changes = try FieldChange.unsetting(fields)
        for field in fields {
            if field.isSameBytes(as: FieldName.text) {
                throw Failure(
                    .usage, "a todo needs its text",
                    hint: "run \"todosync rm\" to delete a todo")
            }
        }
        try change.run(todos, .ofFields(changes), in: session) { workspace, names in
            try workspace.change(names, by: changes.apply)
        }
        return .done
    }
}

/// Returns a warning about each new field whose name resembles that of one of todosync's own fields.
private func warnings(of changed: [ReportRow]) -> [String] {
    Set(changed.flatMap(\.newFields)).subtracting(ConventionalField.names).sorted().compactMap { name in
        guard let nearest = nearestWord(to: name, in: ConventionalField.names) else { return nil }
        return "warning: \(visible(name)) is a field of your own; did you mean \(nearest)?"
    }
}
