internal import LosslessYAML
internal import Remotes
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// The values in a working directory that can complete a command's arguments; empty after an error.
///
/// They are found without scanning the folder, because a shell waits for them.
struct LiveValues {
    let command: TypedCommand
    let process: ProcessSurroundings
    private let currentDirectory: String?
    private let workspace: Workspace?

    init(_ command: TypedCommand, _ process: ProcessSurroundings) {
        self.command = command
        self.process = process
        let home = process.environment("HOME") ?? ""
        let directory = command.directory.map { $0.hasPrefix("~/") ? home + $0.dropFirst() : $0 }
        let options = GlobalOptions(directory: directory, quiet: true)
        let session = try? Session(options, arguments: [], process: process)
        currentDirectory = session?.currentDirectory
        workspace = try? session?.workspace()
    }

    private var tracked: TrackedTodos? { workspace.flatMap { try? TrackedTodos(of: $0) } }

    /// The current directory, relative to the working directory's root.
    private var folder: String {
        guard let workspace, let currentDirectory else { return "" }
        return pathBelow(workspace.root, currentDirectory) ?? ""
    }

    // MARK: Todos

    /// Whether the working directory has no recorded todos yet.
    var hasOnlyFiles: Bool { tracked?.names.isEmpty ?? false }

    /// Returns the handles and paths of the todos whose ids or paths begin with a word.
    ///
    /// If there are too many, the result has the beginnings of their ids and paths instead.
    ///
    /// Otherwise, it leaves out todos that earlier words name or that the command doesn't apply to.
    func todos(completing word: String) -> [Candidate] {
        guard let tracked else { return [] }
        let folder = folder
        let typed = Set(command.positionals)
        func isNamed(_ todo: ListedTodo) -> Bool {
            let names = [todo.handle, todo.id?.string, relativePath(todo.path, from: folder)]
            return !typed.isDisjoint(with: names.compactMap(\.self))
        }
        if ["resolve", "conflicts"].contains(command.name.first) {
            return tracked.conflicted.filter { !isNamed($0) }.flatMap {
                candidates(for: $0, completing: word)
            }
        }
        guard
            let found = tracked.todos(where: { id, path in
                id.utf8.starts(with: word.utf8)
                    || !word.isEmpty && completes(word, to: relativePath(path, from: folder))
            })
        else {
            let names = tracked.names.flatMap { name in
                [name.id] + (word.isEmpty ? [] : [relativePath(name.path, from: folder)])
            }
            return beginnings(of: names, after: word).map {
                Candidate(value: $0.text, description: counted($0.count, "todo"))
            }
        }
        return found.filter { isMeant($0) && !isNamed($0) }.flatMap { candidates(for: $0, completing: word) }
    }

    private func candidates(for todo: ListedTodo, completing word: String) -> [Candidate] {
        let handle = todo.handle ?? ""
        let id = todo.id?.string ?? ""
        let names = [
            // A word that is longer than the handle can only be completed to the id.
            word.utf8.count > handle.utf8.count ? id : handle,
            word.isEmpty ? "" : relativePath(todo.path, from: folder),
        ]
        return names.filter { !$0.isEmpty && completes(word, to: $0) }.map {
            Candidate(value: $0, description: todo.text)
        }
    }

    /// Returns whether the command applies to a todo; true if the todo's file wasn't read.
    private func isMeant(_ todo: ListedTodo) -> Bool {
        if todo.fields.entries.isEmpty { return true }
        let isDone = todo.fields[FieldName.complete] == .bool(true)
        switch command.name.first {
        case "done", "skip", "snooze", "tick": return !isDone
        case "reopen", "purge": return isDone
        default: return true
        }
    }

    /// The items of the named todo's checklist.
    var items: [Candidate] {
        guard let name = command.positionals.first, let tracked else { return [] }
        let folder = folder
        let found = tracked.todos { id, path in
            id.utf8.starts(with: name.utf8) || relativePath(path, from: folder) == name
        }
        guard let todos = found, todos.count == 1, case .list(let items)? = todos[0].fields["checklist"]
        else { return [] }
        return zip(1..., items).map { number, item in
            var text = ""
            if case .string(let string) = item { text = string }
            if case .mapping(let fields) = item, case .string(let string)? = fields[FieldName.text] {
                text = string
            }
            return Candidate(value: "\(number)", description: text)
        }
    }

    // MARK: Fields and tags

    private var sample: [ListedTodo] { tracked?.sample ?? [] }

    /// The tags in use, in order.
    var tags: [Candidate] {
        let tags = sample.flatMap { todo -> [String] in
            guard case .list(let tags)? = todo.fields[FieldName.tags] else { return [] }
            return tags.compactMap { if case .string(let tag) = $0 { tag } else { nil } }
        }
        return Set(tags).sorted().map { Candidate(value: $0) }
    }

    /// The fields that todosync defines, then the others in use.
    var fields: [Candidate] { fieldNames.map { Candidate(value: $0) } }

    var fieldNames: [String] {
        let own = Set(sample.flatMap { $0.fields.entries.map(\.key) }).subtracting(ConventionalField.names)
        return ConventionalField.names + own.sorted()
    }

    var conflictingFields: [Candidate] {
        (tracked?.conflictingFields ?? []).sorted().map { Candidate(value: $0) }
    }

    var folders: [String] { tracked?.folders ?? [] }

    /// The saved filters with their words.
    private var savedFilters: [Candidate] {
        var filters = (try? UserConfiguration(process).filters) ?? [:]
        if let workspace, let own = try? workspace.filters { filters.merge(own) { $1 } }
        return filters.map { Candidate(value: "@" + $0.key.string, description: $0.value) }
            .sorted { $0.value < $1.value }
    }

    // MARK: Operations, stores and servers

    /// Returns the newest operations of the log, with their age and command; by their numbers if a word
    /// begins with `@`.
    func operations(completing word: String) -> [Candidate] {
        guard let workspace, let recent = try? RecentOperations(in: workspace.directory) else { return [] }
        let now = process.now()
        return zip(1..., recent.operations).map { number, operation in
            let age = Age(of: operation.time, now: now).map { $0.words + "  " } ?? ""
            return Candidate(
                value: word.hasPrefix("@") ? "@\(number)" : String(operation.operation.prefix(8)),
                description: age + withoutKeys(operation.command))
        }
    }

    /// The tables of the store that `--store` names.
    var tables: [Candidate] {
        command.values["--store"].map { tables(ofStore: $0).map { Candidate(value: $0) } } ?? []
    }

    /// Returns the addresses of a store's tables: `store#todoitem`.
    func addresses(completing word: String) -> [Candidate] {
        let store = String(word.prefix { $0 != "#" })
        return tables(ofStore: store).map { Candidate(value: "\(store)#\($0)") }
    }

    private func tables(ofStore typed: String) -> [String] {
        guard let currentDirectory else { return [] }
        let path = TypedPath(typed: typed, currentDirectory: currentDirectory).absolute
        guard let store = try? openStore(at: path, process) else { return [] }
        return ((try? waiting { try await store.tableNames() }) ?? []).map(\.string)
    }

    var trustedServers: [Candidate] {
        ((try? TrustedServers(process).all) ?? []).map { Candidate(value: "\($0)") }
    }
}

extension ListedTodo {
    /// The todo's text; empty if its file wasn't read.
    fileprivate var text: String {
        if case .string(let text)? = fields[FieldName.text] { text } else { "" }
    }
}

extension LiveValues {
    static let dates = ["today", "tomorrow", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "+1w"].map {
        Candidate(value: $0)
    }
    static let priorities = Priority.allCases.reversed().map { Candidate(value: $0.rawValue) }

    /// Returns the terms of a filter that can complete a word: only their beginnings, until the word has an
    /// operator.
    func terms(completing word: String) -> [Candidate] {
        if word.hasPrefix(Filter.negation) {
            return terms(completing: String(word.dropFirst(Filter.negation.count)))
                .map { Candidate(value: Filter.negation + $0.value, description: $0.description) }
        }
        if word.hasPrefix("@") { return savedFilters }
        guard let end = word.firstIndex(where: { ":<>".contains($0) }) else {
            return Self.termBeginnings + savedFilters
        }
        let rest = word[end...].prefix { ":<>=".contains($0) }
        let beginning = word[..<end] + rest
        return values(ofField: String(word[..<end])).map {
            Candidate(value: beginning + $0.value, description: $0.description)
        }
    }

    private static let termBeginnings = [
        Candidate(value: "tag:", description: "with a tag"),
        Candidate(value: "due:", description: "due on a date"),
        Candidate(value: "due<", description: "due before a date"),
        Candidate(value: "overdue", description: "due before today or now"),
        Candidate(value: "priority:", description: "with a priority"),
        Candidate(value: "is:", description: "in a given state"),
        Candidate(value: "path:", description: "in a folder"),
        Candidate(value: "text:", description: "with a word"),
        Candidate(value: "notes:", description: "with a word in the notes"),
    ]

    private func values(ofField field: String) -> [Candidate] {
        let none = [Candidate(value: "none")]
        switch field {
        case "tag", FieldName.tags: return tags + none
        case FieldName.due, FieldName.start: return Self.dates + none
        case FieldName.priority: return Self.priorities + none
        case "is": return FilterState.allCases.map { Candidate(value: $0.rawValue) }
        case "path": return folders.map { Candidate(value: $0) }
        default: return []
        }
    }

    /// Returns the assignments that can complete a word: fields with their operators, or a field with its
    /// values if the word has an operator.
    func assignments(completing word: String) -> [Candidate] {
        guard let end = word.firstIndex(of: "=") else {
            let isSetting = command.name == ["set"]
            return fieldNames.flatMap { name -> [Candidate] in
                guard isSetting else { return [Candidate(value: name + "=")] }
                switch name {
                case FieldName.tags: return ["=", "+=", "-="].map { Candidate(value: name + $0) }
                case FieldName.notes: return ["=", "+="].map { Candidate(value: name + $0) }
                default: return [Candidate(value: name + "=")]
                }
            }
        }
        let field = word[..<end].filter { $0 != "+" && $0 != "-" }
        let values: [Candidate] =
            switch field {
            case FieldName.due, FieldName.start: Self.dates
            case FieldName.priority: Self.priorities
            case FieldName.complete: ["true", "false"].map { Candidate(value: $0) }
            case FieldName.tags: tags
            case FieldName.every: ["day", "week", "month", "year", "weekday"].map { Candidate(value: $0) }
            default: []
            }
        // A list continues after a comma.
        let start = word.lastIndex { $0 == "=" || $0 == "," && field == FieldName.tags } ?? end
        return values.map { Candidate(value: word[...start] + $0.value) }
    }
}
