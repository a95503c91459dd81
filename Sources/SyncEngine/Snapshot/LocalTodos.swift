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
        get {
            if let local = loaded[id] { return local }
            guard let path = unchanged.path(of: id), let bytes = unchanged.bytes(of: id),
                let todo = try? Todo(parsing: bytes)
            else { return nil }
            return LocalTodo(id: id, path: path, todo: todo, keepsTree: false)
        }
        set {
            unchanged.remove(id)
            loaded[id] = newValue
        }
    }

    var count: Int { loaded.count + unchanged.count }

    func contains(_ id: TodoID) -> Bool { loaded[id] != nil || unchanged.contains(id) }

    func bytes(of id: TodoID) -> [UInt8]? { loaded[id]?.bytes ?? unchanged.bytes(of: id) }

    func path(of id: TodoID) -> String? { loaded[id]?.path ?? unchanged.path(of: id) }

    /// The paths of all these todos.
    var paths: [String] { loaded.values.map(\.path) + unchanged.paths }
}
