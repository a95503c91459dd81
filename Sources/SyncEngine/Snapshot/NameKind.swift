internal import TodoModel
internal import WorkingCopy

/// The kinds of names for todos, in the order that they are tried.
///
/// The first kind that matches anything counts.
package enum NameKind: Sendable, CaseIterable {
    /// A path, with or without `.yaml` or `.yml`.
    case path
    case id
    /// A handle, or a longer prefix of an id.
    case handle
    /// A prefix of the file's name.
    case fileName
    /// Words that the todo's text contains.
    case words

    /// Whether a command that removes or replaces the todo asks before it uses such a name.
    package var needsConfirmation: Bool { self == .fileName || self == .words }
}

/// The todo or file that a name refers to, and the kind of the name.
package struct NameMatch: Sendable, Hashable {
    package var todo: NamedTodo
    package var kind: NameKind

    /// A name that no other todo has: the id, or the path of a file without one.
    package var exactName: String {
        // A second file of a todo has the id, but no handle.
        todo.handle == nil ? todo.path : todo.id?.string ?? todo.path
    }
}

extension Workspace {
    /// Returns the match for each name.
    ///
    /// - Parameter prefersDone: Whether a name that fits an open and a done todo means the done one.
    package func identify(_ names: [String], prefersDone: Bool = false) throws -> [NameMatch] {
        let snapshot = try Snapshot(of: self)
        let todoNames = TodoNames(snapshot)
        return try names.map { name in
            let match = try Selection(snapshot, prefersDone: prefersDone).match(name)
            return NameMatch(todo: NamedTodo(match.named, name, snapshot, todoNames), kind: match.kind)
        }
    }
}

extension NamedTodo {
    /// - Parameter name: The name that the todo was found by, if it has no path.
    init(_ named: Selection.Named, _ name: String, _ snapshot: Snapshot, _ names: TodoNames) {
        switch named {
        case .todo(let id):
            let path = snapshot.folder.path(of: id) ?? snapshot.tracked.todos[id]?.formerPath
            self.init(id: id, path: path ?? name, names)
        case .new(let file): self.init(id: nil, path: file.path, names)
        case .invalid(let file): self.init(id: nil, path: file.path, handle: nil, text: nil)
        // The id and its handle belong to the other file's todo.
        case .duplicate(let file): self.init(id: file.id, path: file.path, handle: nil, text: nil)
        }
    }
}
