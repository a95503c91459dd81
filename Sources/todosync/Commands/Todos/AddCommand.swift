internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values
internal import WorkingCopy

/// The command `todosync add TEXT…`.
struct AddCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Create a todo, or adopt todo files.",
        usage: """
            todosync add [<options>] <text>...
            todosync add <file>...
            """,
        discussion: """
            Example: todosync add Buy milk --due 2026-12-01 --tag shop

            The words become the todo's text. The file is named after the text, and the command prints its path. \
            If every argument is a word that ends in .yaml or .yml, the command adopts these files instead: a \
            file without an id gets one, and a file with a duplicate id gets a new one. With --text, such words \
            also become the todo's text.
            """)

    @Argument(
        help: ArgumentHelp("The todo's text, or todo files to adopt.", valueName: "text"),
        completion: .file(extensions: ["yaml", "yml"]))
    var words: [String]

    @Flag(name: .customLong("text"), help: "Create a todo even if the words look like file names.")
    var isText = false

    @Option(
        help: ArgumentHelp(
            "When it is due: fri, +3d, 1 dec, 2026-12-01, \"tomorrow 17:00\".", valueName: "date"))
    var due: String?

    @Option(
        help: ArgumentHelp(
            "How often it recurs: 2 weeks, weekday, \"month on the last friday\".", valueName: "interval"))
    var every: String?

    @Option(help: ArgumentHelp("The priority: high, medium or low.", valueName: "priority"))
    var priority: String?

    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp("A tag, or several separated by commas; can be repeated.", valueName: "tag"))
    var tags: [String] = []

    @Option(help: ArgumentHelp("Notes; can have several lines.", valueName: "text"))
    var notes: String?

    @Option(help: ArgumentHelp("Write the todo to this file.", valueName: "path"), completion: .file())
    var file: String?

    @Option(
        name: .customLong("field"),
        help: ArgumentHelp(
            "Set another field, as \"todosync set\" does; can be repeated.", valueName: "key=value"))
    var fields: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let paths = try pathsToTrack(in: session, workspace)
        let written =
            if let paths { try workspace.track(paths) } else {
                [try workspace.add(newTodo(in: session, workspace))]
            }
        if json.isWanted {
            let added = try written.map {
                ReportRow(id: try workspace.locate($0).id, path: $0, operation: .insert)
            }
            try session.show(json: todosync.json(added, TodoNames(of: workspace)))
            return .done
        }
        let style = session.style(in: workspace)
        for path in written { try session.print(style.path(path) + "\n") }
        return .done
    }

    /// Returns the files to track, or nil if the words are a todo's text.
    ///
    /// A file's name can have spaces, but a word with spaces that doesn't name a file is a text.
    private func pathsToTrack(in session: Session, _ workspace: Workspace) throws -> [String]? {
        let names = words.map { word in
            let file = TypedPath(typed: word, currentDirectory: session.currentDirectory)
            return (
                isFile: word.hasTodoExtension && (file.exists || !word.contains(" ")), exists: file.exists
            )
        }
        guard !isText, names.allSatisfy(\.isFile) else { return nil }
        if let missing = names.firstIndex(where: { !$0.exists }) {
            throw Failure(
                .notFound, "\(visible(words[missing])) does not exist",
                hint: "a word that ends in .yaml or .yml names a file to adopt; "
                    + "run \"todosync add --text \(words.map { visible(shellQuoted($0)) }.joined(separator: " "))\" "
                    + "to create a todo with this text")
        }
        let folder = words.first { !TypedPath(typed: $0, currentDirectory: session.currentDirectory).isFile }
        if let folder {
            throw Failure(.usage, "\(visible(folder)) is a folder", hint: "name the files in it")
        }
        guard due == nil, every == nil, priority == nil, tags.isEmpty, notes == nil, file == nil,
            fields.isEmpty
        else {
            throw Failure(
                .usage, "options for a new todo can't be used with existing files",
                hint: "run \"todosync set FILE KEY=VALUE\" to change fields")
        }
        return try words.map { try session.newPath($0, in: workspace) }
    }

    private func newTodo(in session: Session, _ workspace: Workspace) throws -> NewTodo {
        var values = Mapping()
        if let due { values[FieldName.due] = try session.dueAssignment(due).value }
        if let every {
            values[FieldName.every] = try FieldAssignment(field: FieldName.every, typed: every).value
        }
        if let priority {
            values[FieldName.priority] = try FieldAssignment(field: FieldName.priority, typed: priority).value
        }
        let tags = tags.map(FieldAssignment.commaList)
        if tags.contains(where: \.isEmpty) {
            throw Failure(.usage, "a tag needs some text", hint: "remove --tag \"\"")
        }
        if !tags.isEmpty { values[FieldName.tags] = .list(tags.joined().map(Value.string)) }
        if let notes { values[FieldName.notes] = .string(notes) }
        for argument in fields {
            let assignment = try session.assignment(argument)
            if assignment.field == FieldName.text {
                throw Failure(
                    .usage, "--field can't set the text, because the arguments are the text",
                    hint: "remove --field text=...")
            }
            try FieldChange(assignment).apply(to: &values)
        }
        let text = words.joined(separator: " ")
        if FieldAssignment.isEmpty(text: text) { throw FieldAssignmentProblem.emptyText }
        return NewTodo(
            text: text, fields: values,
            path: try file.map { try session.newPath($0, in: workspace) })
    }
}
