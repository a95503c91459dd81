internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Writes a new todo's file and returns its path.
    package func add(_ new: NewTodo) throws -> String { try add([new])[0] }

    /// Writes the files of new todos, as one operation, and returns their paths.
    package func add(_ new: [NewTodo]) throws -> [String] {
        try LockedWorkspace.perform(self) { locked in
            try new.map { new in
                let id = surroundings.newTodoID()
                var fields: Mapping = [FieldName.id: .string(id.string), FieldName.text: .string(new.text)]
                for (key, value) in new.fields.entries { fields[key] = value }
                let bytes = emit(fields)
                if let problem = todoProblem(in: bytes) {
                    throw EngineError.badField("text", reason: problem.message)
                }
                for path in try candidates(for: new, in: locked.snapshot) {
                    if try locked.create(id, at: path, bytes) { return path }
                    if new.path != nil { throw EngineError.fileExists(path) }
                }
                throw EngineError.fileExists(new.path ?? PathRules.slug(of: new.text) + ".yaml")
            }
        }
    }

    /// Adopts existing files: files without an id get one, and files with another file's id get a new one.
    package func track(_ paths: [String]) throws -> [String] {
        try LockedWorkspace.perform(self) { locked in
            var edits: [PlannedEdit] = []
            var found: [JournalRecord] = []
            for path in paths {
                guard let bytes = locked.folder.bytes(at: path) else {
                    let isSeen = locked.folder.scan.wouldSee(path)
                    if isSeen { throw EngineError.noSuchFile(path) }
                    throw EngineError.badPath(
                        path, reason: "todosync ignores it (\"todosync status --verbose\" shows why)")
                }
                let todo: Todo
                do throws(TodoProblem) {
                    todo = try validTodo(inFile: bytes)
                } catch {
                    throw EngineError.invalid(InvalidFile(path: path, problem: error))
                }
                let isDuplicate = (locked.folder.duplicates + locked.folder.copies.map(DuplicateFile.init))
                    .contains { $0.path.isSameBytes(as: path) }
                let file = LocalTodo(id: nil, path: path, todo: todo)
                if todo.id == nil, !file.hasRoomForID {
                    let problem = TodoProblem(reason: .noRoomForID, line: 1, column: 1)
                    throw EngineError.invalid(InvalidFile(path: path, problem: problem))
                }
                if let id = todo.id, !isDuplicate {
                    if locked.tracked.todos[id]?.lastLocalPath == nil {
                        found.append(.found(id: id, path: path))
                    }
                } else if let existing = locked.folder.todos.loaded.values.first(where: {
                    $0.path.isSameBytes(as: path)
                }),
                    let id = existing.id
                {
                    edits.append(PlannedEdit(existing, becoming: existing.bytesWithID, id: id))
                } else {
                    let id = surroundings.newTodoID()
                    var fields = todo.document.fields
                    fields[FieldName.id] = .string(id.string)
                    let bytes =
                        isDuplicate
                        ? todo.document.updated(to: fields) : todo.document.inserting(id: id.string)
                    if let problem = todoProblem(in: bytes) {
                        throw EngineError.invalid(InvalidFile(path: path, problem: problem))
                    }
                    edits.append(PlannedEdit(file, becoming: bytes, id: id))
                }
            }
            try locked.transaction.record(found)
            for index in edits.indices { edits[index].recording = .afterward }
            for (edit, outcome) in zip(edits, try locked.apply(edits)) {
                switch outcome {
                case .done: locked.log(edit.id, edit.path, .insert, .pending)
                case .failed(let error): throw error
                case .cancelled: throw CancellationError()
                case .changedMeanwhile, .occupied, .refused, .withoutPath:
                    throw EngineError.keepsChanging(path: edit.path)
                }
            }
            return paths
        }
    }
}

extension LockedWorkspace {
    /// Creates a todo's file; returns false if the path is taken.
    fileprivate func create(_ id: TodoID, at path: String, _ bytes: [UInt8]) throws -> Bool {
        guard !folder.hasFile(at: path), snapshot.isUsable(path) else { return false }
        let edit = PlannedEdit(id: id, before: nil, after: FileText(path: path, bytes: bytes))
        switch try apply([edit])[0] {
        case .done:
            log(id, path, .insert, .pending)
            return true
        case .failed(let error): throw error.inCreating(path)
        case .refused(let problem): throw EngineError.badPath(path, reason: "\(problem)")
        case .cancelled: throw CancellationError()
        case .occupied, .changedMeanwhile, .withoutPath: return false
        }
    }
}

/// Returns the possible paths for a new todo, best first.
private func candidates(for new: NewTodo, in snapshot: Snapshot) throws -> AnySequence<String> {
    if let path = new.path {
        if let problem = PathRules.problem(with: path) {
            throw EngineError.badPath(path, reason: "\(problem)")
        }
        guard snapshot.folder.scan.wouldSee(path) else {
            throw EngineError.badPath(
                path, reason: "todosync ignores files there (\"todosync status --verbose\" shows why)")
        }
        return AnySequence([path])
    }
    let slug = PathRules.slug(of: new.text)
    guard
        let folder = ([""] + foldersIncluded(by: snapshot.configuration)).first(where: {
            snapshot.isUsable($0 + slug + ".yaml")
        })
    else {
        throw EngineError.badPath(
            slug + ".yaml",
            reason:
                "todosync ignores files with this name (see include in config.yaml, and .todosyncignore)"
        )
    }
    let numbered = (2..<100_000).lazy.map { "\(folder)\(slug)-\($0).yaml" }
    return AnySequence([AnySequence([folder + slug + ".yaml"]), AnySequence(numbered)].joined())
}

/// Returns the folders that the patterns of `include` name without wildcards, each with a trailing `/`.
private func foldersIncluded(by configuration: Configuration) -> [String] {
    configuration.include.compactMap { pattern in
        let folders = pattern.split(separator: "/").dropLast().prefix {
            !$0.contains { "*?[\\!".contains($0) }
        }
        return folders.isEmpty ? nil : folders.joined(separator: "/") + "/"
    }
}

/// Returns why a text isn't a valid todo; nil if it is.
func todoProblem(in bytes: [UInt8]) -> TodoProblem? {
    do {
        _ = try Todo(parsing: bytes)
        return nil
    } catch {
        return error
    }
}
