internal import LosslessYAML
internal import Platform
internal import Remotes
internal import SyncEngine
internal import ThreeWayMerge
internal import TodoModel

/// A folder of todos and the remote that it syncs with.
///
/// Each todo is a YAML file, which a program can also read and write directly, as any editor does. Several
/// programs and the command line can use the same folder: each method locks the folder while it runs, and
/// first completes or undoes the work of an interrupted method.
///
/// A todo's name is its path, its id, or a unique prefix of its id.
public struct WorkingDirectory: Sendable {
    /// The folder's absolute path.
    public let path: String
    /// The program's settings for the working directory.
    public let settings: Settings

    /// Opens the working directory that contains a folder.
    ///
    /// - Parameters:
    ///   - folder: The working directory, or a folder in it.
    ///   - settings: The program's settings for the working directory.
    /// - Throws: ``TodosyncError``, like all methods.
    public init(containing folder: String, settings: Settings = Settings()) throws {
        self.settings = settings
        path = try translatingErrors { try Workspace.open(from: folder, settings.surroundings("open")).root }
    }

    /// Makes a folder a working directory, and creates the folder if necessary.
    ///
    /// Existing todo files become inserts of the next push.
    ///
    /// - Parameters:
    ///   - folder: The folder's path.
    ///   - remote: A store's folder (`PATH` or `PATH#TABLE`), or the URL of a table on a server; nil to add a
    ///   remote later.
    ///   - settings: The program's settings for the working directory.
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

    /// Returns all todos, sorted by path.
    public func todos() throws -> [Todo] {
        try translatingErrors { try workspace("list").list().map(Todo.init) }
    }

    /// Returns a todo.
    public func todo(_ name: String) throws -> Todo {
        try translatingErrors { Todo(try workspace("show").show(name, .file)) }
    }

    /// Creates a todo and its file.
    ///
    /// - Parameters:
    ///   - text: The task to do.
    ///   - fields: The other fields, written in the order of their names.
    ///   - path: The file's path, relative to the working directory; nil to derive it from the text.
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

    /// Changes a todo's fields; ``FieldValue/null`` removes a field.
    ///
    /// Only these fields' lines in the file change.
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

    /// Replaces a todo's file with the newest version from the remote; the log keeps the replaced text.
    public func discard(_ name: String) throws {
        try translatingErrors { _ = try workspace("discard").discard([name]) }
    }

    /// Undoes an operation's changes and keeps later changes.
    ///
    /// - Parameter operation: The operation's id in the log, or its beginning; nil for the newest change in
    ///   this folder by a command or a program, or by an editor if its edits have been sent.
    /// - Returns: The changes; empty if there is nothing left to undo.
    @discardableResult
    public func undo(_ operation: String? = nil) throws -> ChangeReport {
        try translatingErrors { ChangeReport(try workspace("undo").undo(operation)) }
    }

    /// Reverts the last undo, if nothing has been changed since.
    @discardableResult
    public func redo() throws -> ChangeReport {
        try translatingErrors { ChangeReport(try workspace("redo").redo()) }
    }

    /// Merges copies of todos' files that other tools, such as Syncthing, made, and removes the copies.
    ///
    /// Differences that only the user can resolve get conflict markers in the todo's file.
    ///
    /// - Parameter names: The paths of copies, or the names of todos whose copies to merge; empty for all
    ///   copies.
    @discardableResult
    public func adoptCopies(_ names: [String] = []) throws -> ChangeReport {
        try translatingErrors { ChangeReport(try workspace("resolve --adopt").adopt(names)) }
    }

    /// Returns the fields sorted by name, after checking that they can have these values.
    private func checked(_ fields: [String: FieldValue]) throws -> [(name: String, value: EngineValue)] {
        try fields.sorted { $0.key < $1.key }.map { name, value in
            let value = try value.checked(for: name)
            if let words = ConventionalField.problem(name, value) { throw TodosyncError(.invalid, words) }
            return (name, value)
        }
    }

    // MARK: Syncing

    /// Pushes pending changes to the remote.
    ///
    /// - Parameters:
    ///   - names: The todos to push; empty for all.
    ///   - delegate: The object that resolves conflicts and receives the report; nil to leave conflicts to
    ///     the user.
    ///   - deletes: The number of deletes to allow even if a guard would withhold them.
    @concurrent @discardableResult
    public func push(
        _ names: [String] = [], delegate: (any SyncDelegate)? = nil, allowingDeletes deletes: Int? = nil
    ) async throws -> SyncReport {
        try await exchange("push", names, delegate, deletes) { try await $0.push($1) }
    }

    /// Pulls the remote's changes; see ``push(_:delegate:allowingDeletes:)``.
    @concurrent @discardableResult
    public func pull(
        delegate: (any SyncDelegate)? = nil, allowingDeletes deletes: Int? = nil
    ) async throws -> SyncReport {
        try await exchange("pull", [], delegate, deletes) { try await $0.pull($1) }
    }

    /// Pulls and pushes until both sides agree or a conflict needs the user; see
    /// ``push(_:delegate:allowingDeletes:)``.
    @concurrent @discardableResult
    public func sync(
        delegate: (any SyncDelegate)? = nil, allowingDeletes deletes: Int? = nil
    ) async throws -> SyncReport {
        try await exchange("sync", [], delegate, deletes) { try await $0.sync($1) }
    }

    private func exchange(
        _ verb: String, _ names: [String], _ delegate: (any SyncDelegate)?, _ deletes: Int?,
        _ run: (Workspace, SyncOptions) async throws -> SyncEngine.SyncReport
    ) async throws -> SyncReport {
        var options = SyncOptions(todos: names, allowedDeletes: deletes)
        if let delegate {
            options.handler = .program { try await delegate.resolve(Conflict($0)).engineAnswer }
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

    /// Returns the conflicts that the user has to resolve.
    public func conflicts() throws -> [Conflict] {
        try translatingErrors { try workspace("status").conflicts().map(Conflict.init) }
    }

    /// Resolves a todo's open conflict.
    ///
    /// The user's other changes to the file are kept. ``ConflictAnswer/cancel`` restores the local file from
    /// before the merge.
    ///
    /// - Parameters:
    ///   - name: The todo's name.
    ///   - answer: The answer; nil if the user has removed the conflict markers from the file.
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

/// A remote in a folder on this machine, which several working directories can share.
public enum Store {
    /// Creates a store in a folder that is empty or doesn't exist; does nothing if the folder contains a
    /// store.
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
