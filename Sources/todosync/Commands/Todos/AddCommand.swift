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
            todosync add [<options>] -
            todosync add <file>...
            """,
        discussion: """
            Example: todosync add Buy milk due:fri +shop priority:high every:2w

            The words become the todo's text. A word such as due:fri, start:mon, priority:high, every:2w, \
            notes:organic or project:house sets that field instead, and +shop adds a tag. The setting \
            add.capture adds more fields. Words in quotation marks are text unless they begin with such a \
            field. The file is named after the text, and the command prints its path.

            With the argument -, each line of standard input becomes a todo.

            If every argument is a word that ends in .yaml or .yml, the command adopts these files instead: a \
            file without an id gets one, and a file with a duplicate id gets a new one. With --text, all words \
            become the todo's text, as do words after --.
            """)

    @Argument(
        help: ArgumentHelp("The todo's text, or todo files to adopt.", valueName: "text"),
        completion: .file(extensions: ["yaml", "yml"]))
    var words: [String]

    @Flag(name: .customLong("text"), help: "Use all words as they are: no fields, tags or file names.")
    var isText = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "When it is due: fri, +3d, 1 dec, 2026-12-01, \"tomorrow 17:00\".", valueName: "date"))
    var due: String?

    @Option(help: ArgumentHelp("Hide it from list and next until this date.", valueName: "date"))
    var start: String?

    @Option(
        help: ArgumentHelp(
            "How often it recurs: 2 weeks, weekday, \"month on the last friday\".", valueName: "interval"))
    var every: String?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The priority: high, medium or low.", valueName: "priority"))
    var priority: String?

    @Option(
        name: [.customShort("t"), .customLong("tag")],
        help: ArgumentHelp("A tag, or several separated by commas; can be repeated.", valueName: "tag"))
    var tags: [String] = []

    @Option(name: .shortAndLong, help: ArgumentHelp("Notes; can have several lines.", valueName: "text"))
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
                try workspace.add(newTodos(in: session, workspace))
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
        guard due == nil, start == nil, every == nil, priority == nil, tags.isEmpty, notes == nil,
            file == nil,
            fields.isEmpty
        else {
            throw Failure(
                .usage, "options for a new todo can't be used with existing files",
                hint: "run \"todosync set FILE KEY=VALUE\" to change fields")
        }
        return try words.map { try session.newPath($0, in: workspace) }
    }

    /// Returns the todos to create: one of the arguments, or one of each line of standard input.
    private func newTodos(in session: Session, _ workspace: Workspace) throws -> [NewTodo] {
        let captured = Set(try workspace.capturedFields).union(Capture.fields)
        guard words == ["-"], !isText else {
            let plain = isText ? words.count : min(session.plainWordCount, words.count)
            var capture = try Capture(words.dropLast(plain), fields: captured)
            capture.words += words.suffix(plain)
            return [try newTodo(capture, in: session, workspace)]
        }
        if file != nil {
            throw Failure(.usage, "--file can't be used with -", hint: "todosync names each todo's file")
        }
        var lines: [String] = []
        while let line = session.process.standardInput.readLine() {
            if !FieldAssignment.isEmpty(text: line) { lines.append(line) }
        }
        if lines.isEmpty {
            throw Failure(.usage, "standard input has no lines", hint: "type a todo on each line")
        }
        return try lines.map { line in
            let capture = try Capture(
                line.split(whereSeparator: \.isWhitespace).map(String.init), fields: captured)
            return try newTodo(capture, in: session, workspace)
        }
    }

    private func newTodo(
        _ capture: Capture, in session: Session, _ workspace: Workspace
    ) throws -> NewTodo {
        // The fields of a new file are in this order, and then in the order in which they were typed.
        var values: Mapping = [
            FieldName.due: .null, FieldName.start: .null, FieldName.every: .null, FieldName.priority: .null,
            FieldName.tags: .null, FieldName.notes: .null,
        ]
        let options = [
            (FieldName.due, due), (FieldName.start, start), (FieldName.every, every),
            (FieldName.priority, priority), (FieldName.notes, notes),
        ].compactMap { field, typed in typed.map { (field: field, typed: $0) } }
        for (field, typed) in options + capture.fields {
            guard values[field] ?? .null == .null else {
                throw Failure(.usage, "\(visible(field)) has two values")
            }
            values[field] = try session.assignment(of: field, typed).value
        }
        let tags = (tags + capture.tags).map(FieldAssignment.commaList)
        if tags.contains(where: \.isEmpty) {
            throw Failure(.usage, "a tag needs some text", hint: "remove --tag \"\"")
        }
        if !tags.isEmpty { values[FieldName.tags] = .list(tags.joined().map(Value.string)) }
        for (field, value) in values.entries where value == .null { values[field] = nil }
        for argument in fields {
            let assignment = try session.assignment(argument)
            if assignment.field == FieldName.text {
                throw Failure(
                    .usage, "--field can't set the text, because the arguments are the text",
                    hint: "remove --field text=...")
            }
            try FieldChange(assignment).apply(to: &values)
        }
        let text = capture.words.joined(separator: " ")
        if FieldAssignment.isEmpty(text: text) { throw FieldAssignmentProblem.emptyText }
        return NewTodo(
            text: text, fields: values,
            path: try file.map { try session.newPath($0, in: workspace) })
    }
}

/// The words of a new todo, separated from those that set fields, such as `due:fri` and `+shop`.
struct Capture {
    /// The fields that words can set in every folder.
    static let fields = [
        FieldName.due, FieldName.start, FieldName.priority, FieldName.every, FieldName.notes, "project",
    ]

    /// The words of the text.
    var words: [String] = []
    private(set) var tags: [String] = []
    private(set) var fields: [(field: String, typed: String)] = []

    /// Reads arguments; a field or a tag is an argument of its own.
    ///
    /// - Parameter fields: The fields that words can set.
    /// - Throws: A ``Failure`` for a field without a value.
    init(_ arguments: some Sequence<String>, fields: Set<String>) throws {
        for argument in arguments {
            if argument.first == "+", argument.dropFirst().first?.isLetter == true,
                !argument.contains(where: \.isWhitespace)
            {
                tags.append(String(argument.dropFirst()))
                continue
            }
            let field = String(argument.prefix { $0 != ":" })
            let typed = argument.dropFirst(field.count + 1)
            guard fields.contains(field), field.count < argument.count, typed.first?.isWhitespace != true,
                !typed.hasPrefix("//")
            else {
                words.append(argument)
                continue
            }
            guard !typed.isEmpty else {
                throw Failure(
                    .usage, "'\(visible(argument))' has no value",
                    hint: "type the value after the colon, or add --text to use all words as text")
            }
            self.fields.append((field, String(typed)))
        }
    }
}
