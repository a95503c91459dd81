internal import Git
internal import LosslessYAML
package import TodoModel
internal import WorkingCopy

/// A todo that isn't sent or changed until the user decides, because git might have changed its file.
package struct HeldTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    package var reason: HeldReason
}

/// A decision about held todos.
package enum HeldAnswer: Sendable {
    /// The files become the newest versions.
    case forward
    /// The files are sent as they are, and missing files as deletes.
    case send
    case leave
}

/// A todo that git rolled back to an older version, or removed, on a branch other than the home branch.
package struct LeftTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
}

/// A git operation in progress.
package struct GitProgress: Sendable, Hashable {
    /// The operation, such as `merge`.
    package var operation: String
    /// The file that indicates the operation, such as `.git/MERGE_HEAD`.
    package var path: String
    /// The file's age, in seconds.
    package var age: Int
    /// The todos without markers that are still unmerged in git; only in the report of a status.
    package var unmerged: [UnmergedFile] = []

    init(_ progress: Repository.Progress) {
        (operation, path, age) = (progress.operation, progress.path, progress.age)
    }
}

extension HeldTodo {
    /// Returns the held todos of a snapshot, in the order of their paths.
    static func all(in snapshot: Snapshot) -> [HeldTodo] {
        snapshot.standings.compactMap { id, standing in
            guard case .held(let reason) = standing else { return nil }
            return HeldTodo(id: id, path: snapshot.folder.lastPath(of: id, snapshot.tracked), reason: reason)
        }.sorted(byBytesOf: \.path)
    }
}

extension LeftTodo {
    /// Returns the todos that have a standing in a snapshot, in the order of their paths.
    static func all(_ standing: Standing, in snapshot: Snapshot) -> [LeftTodo] {
        snapshot.standings.filter { $0.value == standing }.map { id, _ in
            LeftTodo(id: id, path: snapshot.folder.lastPath(of: id, snapshot.tracked))
        }.sorted(byBytesOf: \.path)
    }
}

extension Folder {
    /// Returns the path of a todo's file, or the last one that it had.
    fileprivate func lastPath(of id: TodoID, _ tracked: State) -> String {
        let known = tracked.todos[id]
        return path(of: id) ?? known?.lastPlace ?? known?.base?.todo?.path ?? id.string
    }
}
