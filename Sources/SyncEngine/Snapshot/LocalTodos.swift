internal import TodoModel
internal import WorkingCopy

/// The valid todos in the folder that have an id.
struct LocalTodos: Sendable {
    /// The todos whose files were read.
    private(set) var loaded: [TodoID: LocalTodo]
    /// The todos whose files equal their base versions and weren't read.
    private(set) var unchanged: UnchangedFiles

    init(_ loaded: [TodoID: LocalTodo], _ unchanged: UnchangedFiles) {
        self.loaded = loaded
        self.unchanged = unchanged
    }

    subscript(id: TodoID) -> LocalTodo? {
        get { loaded[id] ?? parsedUnchanged(id)?.file }
        set {
            unchanged.remove(id)
            loaded[id] = newValue
        }
    }

    /// Returns a todo, parsed with the id recorded for its path, and its file.
    func parsed(_ id: TodoID) -> (todo: Todo, file: LocalTodo)? {
        guard let local = loaded[id] else { return parsedUnchanged(id) }
        return (local.todoWithID, local)
    }

    /// Returns a todo whose file wasn't read; a file without an id is always read.
    ///
    /// The file doesn't keep the tree, which takes many times as much memory as the text.
    private func parsedUnchanged(_ id: TodoID) -> (todo: Todo, file: LocalTodo)? {
        guard let path = unchanged.path(of: id), let bytes = unchanged.bytes(of: id),
            let todo = try? Todo(parsing: bytes)
        else { return nil }
        return (todo, LocalTodo(id: id, path: path, todo: todo, keepsTree: false))
    }

    var count: Int { loaded.count + unchanged.count }

    func contains(_ id: TodoID) -> Bool { loaded[id] != nil || unchanged.contains(id) }

    func bytes(of id: TodoID) -> [UInt8]? { loaded[id]?.bytes ?? unchanged.bytes(of: id) }

    func path(of id: TodoID) -> String? { loaded[id]?.path ?? unchanged.path(of: id) }

    /// The paths of all these todos.
    var paths: [String] { loaded.values.map(\.path) + unchanged.paths }
}
