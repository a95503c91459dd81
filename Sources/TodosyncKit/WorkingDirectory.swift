internal import LosslessYAML
internal import Platform
internal import Remotes
internal import SyncEngine
internal import ThreeWayMerge
internal import TodoModel

/// A folder of todos, and the remote that it syncs with.
///
/// The todos are YAML files, one each. A program can also read and write them itself, as any editor can.
/// Several programs, and the command line, can work in the same folder: each method takes the folder's lock
/// for as long as it runs, and finishes or undoes what an interrupted one left behind.
///
/// A todo is named by its path, its id, or a unique prefix of its id.
public struct WorkingDirectory: Sendable {
    /// The folder's absolute path.
    public let path: String
    /// What the program has decided about its work here.
    public let settings: Settings

    /// Opens the working directory that contains a folder.
    ///
    /// - Parameters:
    ///   - folder: the working directory's folder, or one below it.
    ///   - settings: what the program decides about its work here.
    /// - Throws: ``TodosyncError``, as all methods do.
    public init(containing folder: String, settings: Settings = Settings()) throws {
        self.settings = settings
        path = try translatingErrors { try Workspace.open(from: folder, settings.surroundings("open")).root }
    }

    /// Turns a folder into a working directory; creates the folder if there is none.
    ///
    /// Todo files that are already there are inserts for the next push.
    ///
    /// - Parameters:
    ///   - folder: the folder's path.
    ///   - remote: a store's folder (`PATH` or `PATH#TABLE`), or the URL of a server's table; nil for none
    ///     yet.
    ///   - settings: what the program decides about its work here.
    public static func create(
        at folder: String, remote: String? = nil, settings: Settings = Settings()
    ) throws -> WorkingDirectory {
        try translatingErrors {
            let base = try currentDirectory()
            let url = try remote.map { try RemoteLocation(parsing: $0, relativeTo: base).description }
            if mkdir(folder, 0o777) != 0, errno != EEXIST {
                throw TodosyncError(.file, "can't create \(folder): \(String(cString: strerror(errno)))")
            }
            let absolute = folder.utf8.first == UInt8(ascii: "/") ? folder : base + "/" + folder
            _ = try Workspace.create(
                at: absolute, remote: url, include: [], settings.surroundings("init"))
            return try WorkingDirectory(containing: absolute, settings: settings)
        }
    }

    private func workspace(_ verb: String, _ notices: Notices = Notices()) throws -> Workspace {
        try Workspace.open(from: path, settings.surroundings(verb, notices: notices))
    }

    // MARK: Todos

    /// Returns all todos, in the order of their paths.
    public func todos() throws -> [Todo] {
        try translatingErrors { try workspace("list").list().map(Todo.init) }
    }

    /// Returns a todo.
    public func todo(_ name: String) throws -> Todo {
        try translatingErrors { Todo(try workspace("show").show(name, .file)) }
    }

    /// Writes a new todo's file.
    ///
    /// - Parameters:
    ///   - text: what is to be done.
    ///   - fields: the fields besides the text, which are written in the order of their names.
    ///   - path: the file's path, relative to the working directory; nil to derive it from the text.
    @discardableResult
    public func add(
        _ text: String, fields: [String: FieldValue] = [:], path: String? = nil
    ) throws -> Todo {
        try translatingErrors {
            var mapping = Mapping()
            for (name, value) in try checked(fields) {
                guard name != FieldName.text, name != FieldName.id else {
                    throw TodosyncError(.invalid, "\(name) is not a field to add")
                }
                mapping[name] = value
            }
            let workspace = try workspace("add")
            let new = NewTodo(text: text, fields: mapping, path: path)
            return Todo(try workspace.show(try workspace.add(new), .file))
        }
    }

    /// Changes fields of a todo; ``FieldValue/null`` removes a field.
    ///
    /// Only the lines of these fields change in the file.
    public func set(_ name: String, _ fields: [String: FieldValue]) throws {
        try translatingErrors {
            let values = try checked(fields)
            _ = try workspace("set").change(
                [name], set: values.filter { $0.value != .null }.map { (field: $0.name, value: $0.value) },
                unset: values.filter { $0.value == .null }.map(\.name))
        }
    }

    /// Deletes a todo's file; the next push deletes the todo.
    public func remove(_ name: String) throws {
        try translatingErrors { _ = try workspace("rm").remove([name]) }
    }

    /// Returns fields in the order of their names, with values that these fields can have.
    private func checked(_ fields: [String: FieldValue]) throws -> [(name: String, value: EngineValue)] {
        try fields.sorted { $0.key < $1.key }.map { name, value in
            let value = try value.checked(for: name)
            if let words = ConventionalField.problem(name, value) { throw TodosyncError(.invalid, words) }
            return (name, value)
        }
    }

    // MARK: Syncing

    /// Sends pending changes to the remote.
    ///
    /// - Parameters:
    ///   - delegate: decides conflicts, and gets the report; without one, conflicts are left to the user.
    ///   - deletes: how many deletes are allowed although a guard would withhold them.
    /// - Throws: ``TodosyncError`` if nothing could be done, `CancellationError` if the task was cancelled
    ///   before that, and whatever the delegate throws. If it stopped midway, ``SyncReport/error`` says why.
    @concurrent @discardableResult
    public func push(
        delegate: (any SyncDelegate)? = nil, allowingDeletes deletes: Int? = nil
    ) async throws -> SyncReport {
        try await exchange("push", delegate, deletes) { try await $0.push($1) }
    }

    /// Applies the remote's changes; see ``push(delegate:allowingDeletes:)``.
    @concurrent @discardableResult
    public func pull(
        delegate: (any SyncDelegate)? = nil, allowingDeletes deletes: Int? = nil
    ) async throws -> SyncReport {
        try await exchange("pull", delegate, deletes) { try await $0.pull($1) }
    }

    /// Pulls and pushes until both sides agree, or a conflict needs the user; see
    /// ``push(delegate:allowingDeletes:)``.
    @concurrent @discardableResult
    public func sync(
        delegate: (any SyncDelegate)? = nil, allowingDeletes deletes: Int? = nil
    ) async throws -> SyncReport {
        try await exchange("sync", delegate, deletes) { try await $0.sync($1) }
    }

    private func exchange(
        _ verb: String, _ delegate: (any SyncDelegate)?, _ deletes: Int?,
        _ run: (Workspace, SyncOptions) async throws -> SyncEngine.SyncReport
    ) async throws -> SyncReport {
        var options = SyncOptions(allowedDeletes: deletes)
        if let delegate {
            options.handler = .program { try await delegate.resolve(Conflict($0)).decision }
        }
        let notices = Notices()
        do {
            let done = try await run(try workspace(verb, notices), options)
            if done.hasDoneNothing, let stop = done.stop { throw stop }
            let report = SyncReport(done, warnings: notices.all)
            await delegate?.didComplete(report)
            return report
        } catch {
            throw publicError(error)
        }
    }

    // MARK: Conflicts

    /// Returns the conflicts that wait for the user.
    public func conflicts() throws -> [Conflict] {
        try translatingErrors { try workspace("status").conflicts().map(Conflict.init) }
    }

    /// Resolves a todo's open conflict.
    ///
    /// Everything else that the user has changed in the file stays. ``ConflictAnswer/cancel`` brings back the
    /// local file from before the merge.
    ///
    /// - Parameters:
    ///   - name: the todo.
    ///   - answer: nil if the user has removed the conflict markers, and the file is the answer.
    /// - Throws: ``TodosyncError`` with ``TodosyncError/Code/conflict`` if the conflict stays open.
    public func resolve(_ name: String, with answer: ConflictAnswer? = nil) throws {
        try translatingErrors {
            let resolution: Resolution =
                switch answer {
                case nil: .file
                case .local?: .use(.local)
                case .remote?: .use(.remote)
                case .base?: .use(.base)
                case .fields(let answers)?: .fields(try engineAnswers(answers))
                case .leaveToUser?: throw TodosyncError(.conflict, "\(name) is left to the user")
                case .cancel?: .abort
                }
            let report = try workspace("resolve").resolve([name], resolution)
            if let todo = report.unresolved.first {
                throw TodosyncError(.conflict, "\(todo.path): \(todo.reason)")
            }
        }
    }
}

/// A remote in a folder on this machine, where several working directories can meet.
public enum Store {
    /// Creates a store in a folder that is empty or doesn't exist; if it has a store, nothing happens.
    public static func create(at folder: String) throws {
        try translatingErrors { _ = try Remotes.Store.create(at: folder, surroundings: storeSurroundings) }
    }
}

/// Returns the absolute path of the process's current directory.
private func currentDirectory() throws -> String {
    guard let path = getcwd(nil, 0) else {
        throw TodosyncError(.file, "the current directory can't be found")
    }
    defer { free(path) }
    return String(cString: path)
}
