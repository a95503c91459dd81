internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A working directory at one moment: what is tracked, and what is in the folder.
///
/// It answers every question about the two together, and changes nothing. A command that only reads needs no
/// more; one that writes plans its changes by it.
struct Snapshot: Sendable {
    let configuration: Configuration
    /// What `.todosync` remembers of each todo.
    var tracked: State
    var folder: Inventory

    var rules: FieldRules { FieldRules(configuration) }
    var conflictStyle: ConflictStyle { ConflictStyle(configuration) }
}

extension Snapshot {
    /// Reads a working directory without locking it.
    ///
    /// - Parameter usingCache: false for reading every file.
    init(of workspace: Workspace, usingCache: Bool = true) throws {
        let tracked = try workspace.translatingErrors {
            try workspace.directory.state(usingCache: usingCache)
        }
        self = try Snapshot.recovered(workspace, workspace.configuration(), tracked).snapshot
    }

    /// Reads the files of a working directory, as if what was interrupted had been recovered.
    ///
    /// - Returns: the records that a recovery would write, besides.
    static func recovered(
        _ workspace: Workspace, _ configuration: Configuration, _ tracked: State, usingCache: Bool = true
    ) throws -> (snapshot: Snapshot, records: [JournalRecord]) {
        var tracked = tracked
        // Before the files are looked at: a command that is at work may replace one in between.
        let staged =
            tracked.hasUnfinished ? try StagedTexts(in: workspace.directory, tracked) : nil
        let scan = try workspace.directory.scan(configuration, usingCache ? tracked : nil)
        tracked.load(besides: scan.unchanged)
        var snapshot = Snapshot(
            configuration: configuration, tracked: tracked, folder: Inventory(scan: scan, state: tracked))
        var records: [JournalRecord] = []
        if let staged {
            let recovery = recovery(from: snapshot, staged)
            (snapshot, records) = (recovery.snapshot, recovery.records)
        }
        snapshot.folder.lookAside(in: workspace.directory, snapshot.tracked)
        return (snapshot, records)
    }
}

// MARK: Files

extension Snapshot {
    /// What is told of a todo whose file was not found and is not surely gone.
    static let unseen = "its file can't be seen (ignored, hidden, behind a link or unreadable)"

    /// Whether a todo's file, which was written once, is surely not there.
    ///
    /// It is neither at its place nor, with its id, anywhere else, and the scan would have seen it.
    func isGone(_ id: TodoID) -> Bool { folder.isGone(id, tracked.todos[id] ?? TodoState()) }

    /// Whether a todo whose file was not found may have it all the same.
    func isUnseen(_ id: TodoID) -> Bool { tracked.todos[id].map { !folder.isGone(id, $0) } ?? false }

    /// Why the disk does not give a todo's file or a folder above it; nil if it is not the reason.
    func diskError(of id: TodoID) -> FileError? {
        guard let place = tracked.todos[id]?.place,
            case .unreadable(let error)? = folder.scan.reasonNotToSee(place), error.isOfDisk
        else { return nil }
        return error
    }

    /// Returns why files and folders can't be read in which todos were recorded; in the order of their paths.
    func unreadablePlaces() -> [FileError] {
        let errors = tracked.todos.loaded.compactMap { id, todo -> FileError? in
            guard !folder.hasFile(of: id), let place = todo.place,
                case .unreadable(let error)? = folder.scan.reasonNotToSee(place)
            else { return nil }
            return error
        }
        return Set(errors).sorted(byBytesOf: \.path)
    }

    /// Whether a path is a place for a todo in this folder.
    func isUsable(_ path: String) -> Bool { folder.scan.wouldSee(path) }
}

// MARK: Names

extension Snapshot {
    /// What a name stands for.
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

    /// Returns what is named by a path, an id, or an id's unique beginning.
    func named(_ name: String) throws -> Named {
        if let file = folder.newTodos.first(where: { $0.path.isSameBytes(as: name) }) { return .new(file) }
        if let duplicate = folder.duplicates.first(where: { $0.path.isSameBytes(as: name) }) {
            return .duplicate(duplicate)
        }
        if let id = folder.id(at: name) { return .todo(id) }
        if let invalid = folder.invalid.first(where: { $0.path.isSameBytes(as: name) }) {
            return .invalid(invalid)
        }
        let place = TodoID(name).flatMap { tracked.todos[$0]?.place } ?? name
        if case .unreadable(let error)? = folder.scan.reasonNotToSee(place) { throw error }
        if let id = TodoID(name), isAlive(id) { return .todo(id) }
        let loaded = Set(tracked.todos.loaded.keys).union(folder.todos.loaded.keys).filter(isAlive)
        if let id = loaded.first(where: { isPlace($0, name) }) { return .todo(id) }
        let unchanged = Set(folder.todos.unchanged.ids(beginning: name))
        let beginning = loaded.filter { $0.string.utf8.starts(with: name.utf8) }.union(unchanged)
        let matching = name.isEmpty ? [] : beginning.sorted()
        guard let id = matching.first else { throw EngineError.noSuchTodo(name) }
        if matching.count > 1 { throw EngineError.ambiguous(name, ids: matching) }
        return .todo(id)
    }

    private func isAlive(_ id: TodoID) -> Bool { folder.hasFile(of: id) || isRemembered(id) }

    /// Whether a todo without a file still has something pending or in conflict.
    private func isRemembered(_ id: TodoID) -> Bool {
        guard let todo = tracked.todos[id] else { return false }
        return todo.base?.todo != nil || todo.conflict != nil || todo.held?.todo != nil
    }

    private func isPlace(_ id: TodoID, _ path: String) -> Bool {
        guard !folder.hasFile(of: id), let todo = tracked.todos[id] else { return false }
        return (todo.lastPlace ?? todo.base?.todo?.path ?? todo.conflict?.localPath)?.isSameBytes(as: path)
            == true
    }

    /// Returns the ids of the todos named.
    ///
    /// - Parameter orNew: whether new files without an id can be named, too; they are left out.
    func ids(_ names: [String], orNew: Bool = false) throws -> [TodoID] {
        try names.compactMap { name in
            switch try named(name) {
            case .todo(let id): return id
            case .new: if orNew { return nil } else { throw EngineError.noSuchTodo(name) }
            case .invalid(let file): throw EngineError.invalid(file)
            case .duplicate(let file): throw EngineError.isDuplicate(file)
            }
        }
    }
}
