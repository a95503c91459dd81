internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The todos of a working directory, by the names that a user can give them.
struct Selection {
    let snapshot: Snapshot
    /// Whether a name that fits an open and a done todo means the done one.
    let prefersDone: Bool
    /// Whether a path without its extension means the open occurrence of a series, and not a done one at the
    /// path.
    let followsSeries: Bool

    init(_ snapshot: Snapshot, prefersDone: Bool = false, followsSeries: Bool = false) {
        self.snapshot = snapshot
        self.prefersDone = prefersDone
        self.followsSeries = followsSeries
    }

    /// What a name refers to.
    enum Named {
        case todo(TodoID)
        /// A valid file that has no id yet.
        case new(LocalTodo)
        case invalid(InvalidFile)
        case duplicate(DuplicateFile)

        func isNew(_ path: String) -> Bool {
            if case .new(let file) = self { file.path.isSameBytes(as: path) } else { false }
        }
    }

    /// The todo or file that a name refers to, and the kind of the name.
    struct Match {
        var named: Named
        var kind: NameKind
    }

    /// Returns what a name refers to.
    ///
    /// - Parameter orNotKept: Whether it can be a todo that isn't kept here.
    func named(_ name: String, orNotKept: Bool = false) throws -> Named {
        try match(name, orNotKept: orNotKept).named
    }

    /// Returns what a name refers to, by the first ``NameKind`` that matches anything.
    ///
    /// If a file's name or words match several todos, the only open one counts, because a recurring todo
    /// leaves many done ones.
    ///
    /// - Throws: ``EngineError/ambiguous(_:_:)`` if several todos match by that kind.
    func match(_ name: String, orNotKept: Bool = false) throws -> Match {
        let match = try match(ofAny: name)
        if !orNotKept, case .todo(let id) = match.named, snapshot.condition(of: id).isNotKept {
            throw EngineError.notKept(path: snapshot.tracked.todos[id]?.lastLocalPath ?? name)
        }
        return match
    }

    private func match(ofAny name: String) throws -> Match {
        if let match = try exactMatch(name) { return match }
        if let reason = reasonNotATodo(name) { throw EngineError.notATodo(path: name, reason: reason) }
        if let match = try searchMatch(name) { return match }
        let beginning = ids(beginning: name)
        if beginning.count > 1 { throw ambiguous(name, beginning.map(Named.todo)) }
        for path in paths(name) {
            if let reason = reasonNotATodo(path) { throw EngineError.notATodo(path: path, reason: reason) }
        }
        throw EngineError.noSuchTodo(name)
    }

    /// Returns what a path, an id, a handle or a longer prefix of an id refers to; nil if it refers to
    /// nothing.
    func exactMatch(_ name: String) throws -> Match? {
        if name.isEmpty { return nil }
        if let named = file(at: name) { return Match(named: named, kind: .path) }
        let completed = paths(name).dropFirst().compactMap(file(at:))
        if completed.count > 1 { throw ambiguous(name, completed) }
        if let named = completed.first {
            return Match(named: openOccurrence(after: named) ?? named, kind: .path)
        }
        let localPath = TodoID(name).flatMap { snapshot.tracked.todos[$0]?.localPath } ?? name
        if case .unreadable(let error)? = snapshot.folder.scan.exclusionReason(for: localPath) { throw error }
        if let id = TodoID(name), isRemembered(id) { return Match(named: .todo(id), kind: .id) }
        for path in paths(name) {
            let absent = absentIDs.first { wasFile($0, path) }
            if let id = absent ?? snapshot.tracked.todos.idsNotKept(at: path).min() {
                return Match(named: .todo(id), kind: .path)
            }
        }
        let beginning = ids(beginning: name)
        return beginning.count == 1 ? Match(named: .todo(beginning[0]), kind: .handle) : nil
    }

    /// Returns the paths that a name can stand for: itself, and with the extensions of todo files.
    func paths(_ name: String) -> [String] {
        let hasExtension = [".yaml", ".yml"].contains {
            name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8)
        }
        return hasExtension ? [name] : [name, name + ".yaml", name + ".yml"]
    }

    /// Returns the todo or file at a path.
    func file(at path: String) -> Named? {
        let folder = snapshot.folder
        if let file = folder.newTodos.first(where: { $0.path.isSameBytes(as: path) }) { return .new(file) }
        if let duplicate = folder.duplicates.first(where: { $0.path.isSameBytes(as: path) }) {
            return .duplicate(duplicate)
        }
        if let copy = folder.copies.first(where: { $0.path.isSameBytes(as: path) }) {
            return .duplicate(DuplicateFile(copy))
        }
        if let id = folder.id(at: path) { return .todo(id) }
        return folder.invalid.first { $0.path.isSameBytes(as: path) }.map(Named.invalid)
    }

    /// The ids of remembered todos whose files aren't known to be unchanged.
    var loadedIDs: [TodoID] {
        let folder = snapshot.folder
        // Usually, all of them are valid todos in the folder.
        let valid = folder.todos.loaded
        let others = [
            Array(snapshot.tracked.todos.loaded.keys), Array(folder.conflicted.keys),
            Array(folder.unreadable.keys),
        ].joined().filter { valid[$0] == nil }
        return valid.keys + Set(others).filter(isRemembered)
    }

    /// The ids of remembered todos without a file, except purged ones.
    var absentIDs: [TodoID] {
        loadedIDs.filter { !snapshot.folder.hasFile(of: $0) && !snapshot.condition(of: $0).isNotKept }
    }

    /// The ids of purged todos.
    var purgedIDs: [TodoID] {
        snapshot.tracked.todos.idsNotKept.filter { snapshot.condition(of: $0).isNotKept }
    }

    /// Returns whether a todo has a file here or is recorded without one.
    func isRemembered(_ id: TodoID) -> Bool {
        if snapshot.folder.hasFile(of: id) { return true }
        guard let todo = snapshot.tracked.todos[id] else { return false }
        return todo.base?.todo != nil || todo.conflict != nil || todo.held?.todo != nil
    }

    /// Returns the remembered ids that begin with a name, in order.
    ///
    /// Ids of purged todos count only if no other id begins with the name.
    private func ids(beginning name: String) -> [TodoID] {
        if name.isEmpty { return [] }
        let unchanged = Set(snapshot.folder.todos.unchanged.ids(beginning: name))
        let kept = loadedIDs.filter {
            $0.string.utf8.starts(with: name.utf8) && !snapshot.condition(of: $0).isNotKept
        }
        let found = unchanged.union(kept)
        if !found.isEmpty { return found.sorted() }
        return purgedIDs.filter { $0.string.utf8.starts(with: name.utf8) }.sorted()
    }

    /// Returns whether a todo that has no file was at a path.
    private func wasFile(_ id: TodoID, _ path: String) -> Bool {
        snapshot.tracked.todos[id]?.formerPath?.isSameBytes(as: path) == true
    }

    /// Returns why the file at a path, or a folder above it, isn't a todo; nil if the scan found neither.
    private func reasonNotATodo(_ path: String) -> String? {
        let bytes = Array(path.utf8)
        for entry in snapshot.folder.scan.ignored where bytes.starts(with: entry.path.utf8) {
            let rest = bytes.dropFirst(entry.path.utf8.count)
            if rest.isEmpty { return entry.reason.sentence(about: "it") }
            if entry.isFolder, rest.first == UInt8(ascii: "/") {
                return entry.reason.sentence(about: "its folder \(entry.path)")
            }
        }
        guard snapshot.folder.otherFiles.contains(where: { $0.isSameBytes(as: path) }) else { return nil }
        let problem = snapshot.folder.bytes(at: path).flatMap(todoProblem(in:))
        return problem?.message ?? IgnoredFile.Reason.noTodo.sentence(about: "it")
    }

    /// Returns the error for a name that several todos have.
    func ambiguous(_ name: String, _ found: [Named]) -> EngineError {
        let names = TodoNames(snapshot)
        let todos = found.map { NamedTodo($0, name, snapshot, names) }
        return .ambiguous(name, todos.sorted(byBytesOf: \.path))
    }

    /// Returns the ids of the named todos.
    ///
    /// - Parameters:
    ///   - orNew: Whether names can also refer to new files without an id, which are left out.
    ///   - orNotKept: Whether names can also refer to todos that aren't kept here.
    func ids(_ names: [String], orNew: Bool = false, orNotKept: Bool = false) throws -> [TodoID] {
        try names.compactMap { name in
            switch try named(name, orNotKept: orNotKept) {
            case .todo(let id): return id
            case .new: if orNew { return nil } else { throw EngineError.noSuchTodo(name) }
            case .invalid(let file): throw EngineError.invalid(file)
            case .duplicate(let file): throw EngineError.isDuplicate(file)
            }
        }
    }
}

extension TodoState {
    /// The last path of the todo's file; nil if it never had one.
    var formerPath: String? { lastLocalPath ?? base?.todo?.path ?? conflict?.localPath }
}

extension IgnoredFile.Reason {
    /// Returns why a file or folder is ignored, as a sentence about a name such as `it`.
    func sentence(about name: String) -> String {
        switch self {
        case .hidden: "\(name) is hidden, because its name begins with a dot"
        case .symbolicLink: "\(name) is a symbolic link"
        case .nestedWorkingDirectory: "\(name) is another working directory"
        case .nestedRepository: "\(name) is another git repository"
        case .ignored(let pattern, let file, let line): "\(file):\(line) ignores \(name): \(pattern)"
        case .notIncluded: "include in .todosync/config.yaml does not name \(name)"
        case .unreadable(let error): "\(error)"
        case .notRegular: "\(name) is not a regular file"
        case .unsuitable(let problem): problem.description
        case .noTodo: "\(name) has no text"
        }
    }
}
