internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The todos of a working directory as far as they are known without scanning the folder, for completing
/// words that the user types.
///
/// It reads the files of at most ``limit`` todos. Like a ``Glance``, it doesn't see new files that only an
/// editor made, and it doesn't run git.
package struct TrackedTodos: Sendable {
    /// The maximum number of files to read.
    package static let limit = 1000

    private let directory: WorkingDirectory
    private let states: TodoStates
    private let handles: Handles
    /// The todos that have a file, with its path.
    private let files: [(id: TodoID, path: String)]

    package init(of workspace: Workspace) throws {
        directory = workspace.directory
        states = try directory.state().todos
        files = states.files.sorted(byBytesOf: \.path)
        let gone = states.loaded.filter { $0.value.localPath == nil && $0.value.base?.todo != nil }.map(\.key)
        handles = Handles(Array(Set(files.map(\.id) + states.idsNotKept + gone)))
    }

    /// The folders that have todos, with a slash at the end.
    package var folders: [String] {
        Set(files.map { ByteKey(String($0.path[..<($0.path.lastIndex(of: "/") ?? $0.path.startIndex)])) })
            .map(\.string).filter { !$0.isEmpty }.map { $0 + "/" }.sorted(byBytesOf: \.self)
    }

    /// The ids and paths of the todos that have a file, in the order of the paths.
    package var names: [(id: String, path: String)] { files.map { ($0.id.string, $0.path) } }

    /// Returns the todos that a closure accepts by their ids and paths, sorted by path; nil if there are more
    /// than ``limit``.
    package func todos(where isMeant: (String, String) -> Bool) -> [ListedTodo]? {
        let found = files.filter { isMeant($0.id.string, $0.path) }
        return found.count <= Self.limit ? read(found) : nil
    }

    /// The todos with an open conflict, sorted by path.
    package var conflicted: [ListedTodo] {
        states.loaded.compactMap { id, todo in
            todo.conflict.map { conflict in
                var listed = listed(id, todo.localPath ?? conflict.localPath, conflict.local)
                listed.isConflicted = true
                return listed
            }
        }.sorted(byBytesOf: \.path)
    }

    /// The top-level fields in open conflicts.
    package var conflictingFields: Set<String> {
        Set(states.loaded.values.flatMap { $0.conflict?.fields ?? [] })
    }

    /// Up to ``limit`` todos from all parts of the folder, to determine which tags and fields are in use.
    package var sample: [ListedTodo] {
        let step = (files.count + Self.limit - 1) / Self.limit
        return read(step > 1 ? stride(from: 0, to: files.count, by: step).map { files[$0] } : files)
    }

    private func read(_ todos: [(id: TodoID, path: String)]) -> [ListedTodo] {
        let conflicts = states.loaded.compactMapValues { $0.conflict?.local }
        return mapConcurrently(todos) { [directory, self] id, path in
            let file = try? lookAtFiles([path], root: directory.root, fileSystem: directory.fileSystem).first
            guard case .read(let bytes)?? = file.map({ $0?.content }) else { return nil }
            return listed(id, path, conflicts[id] ?? bytes)
        }.compactMap(\.self)
    }

    private func listed(_ id: TodoID, _ path: String, _ bytes: [UInt8]?) -> ListedTodo {
        ListedTodo(
            id: id, path: path, fields: bytes.flatMap { try? Todo(parsing: $0) }?.fields ?? [:],
            isConflicted: false, bytes: bytes ?? [], handle: handles.handle(of: id))
    }
}
