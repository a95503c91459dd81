internal import Git
package import LosslessYAML
package import TodoModel
package import WorkingCopy

/// A todo that isn't sent or changed until the user decides, because git might have changed its file.
package struct HeldTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    package var reason: HeldReason
    /// Git's message if it failed.
    package var problem: String?
    /// Whether git's latest stash has the newest version.
    package var isStashed: Bool
    /// Whether the newest version's branch isn't checked out, so that nothing needs to be decided here.
    package var isElsewhere: Bool
    /// Whether the file is gone.
    package var isAbsent: Bool
    /// The fields whose values differ between the file and the newest version, with both values.
    package var differences: [FieldDifference]

    /// The reason as a phrase, after the todo's path.
    package var message: String {
        switch reason {
        case .olderVersion: "git checked out an older version"
        case .deletedTodo: "the todo was deleted, but git brought its file back"
        case .notSentYet: "git checked it out, and it was never sent"
        case .removedByGit: "git removed its file"
        case .gitFailed: "its file changed, but git failed (\(problem ?? ""))"
        }
    }
}

/// A field's values in a file and in the newest version; nil if a side lacks the field.
package struct FieldDifference: Sendable, Hashable {
    package var name: String
    package var local: Value?
    package var newest: Value?
}

/// A decision about held todos.
package enum HeldAnswer: Sendable {
    /// The files become the newest versions.
    case forward
    /// The files are sent as they are, and missing files as deletes.
    case send
    case leave
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
    /// The number of todos whose values are compared.
    private static let manyTodos = 20

    /// Returns the held todos of a snapshot, in the order of their paths.
    static func all(in snapshot: Snapshot) -> [HeldTodo] {
        var todos = snapshot.standings.keys.compactMap { id -> HeldTodo? in
            guard case .held(let held, let isElsewhere) = snapshot.condition(of: id).ofFile else {
                return nil
            }
            return HeldTodo(
                id: id, path: snapshot.folder.lastPath(of: id, snapshot.tracked), reason: held.reason,
                problem: held.problem, isStashed: held.isStashed, isElsewhere: isElsewhere,
                isAbsent: !snapshot.folder.hasFile(of: id), differences: [])
        }.sorted(byBytesOf: \.path)
        for index in todos.indices.prefix(manyTodos) {
            todos[index].differences = FieldDifference.all(of: todos[index].id, in: snapshot)
        }
        return todos
    }
}

extension FieldDifference {
    /// Returns the differences between a todo's file and its newest version.
    fileprivate static func all(of id: TodoID, in snapshot: Snapshot) -> [FieldDifference] {
        guard let local = snapshot.folder.todos[id]?.todo,
            let bytes = snapshot.tracked.todos[id]?.newest?.todo?.bytes,
            let newest = try? Todo(parsing: bytes)
        else { return [] }
        return CanonicalField.differences(from: newest.fields, to: local.fields).map {
            FieldDifference(name: $0, local: local.fields[$0], newest: newest.fields[$0])
        }
    }
}

extension Folder {
    /// Returns the path of a todo's file, or the last one that it had.
    fileprivate func lastPath(of id: TodoID, _ tracked: State) -> String {
        let known = tracked.todos[id]
        return path(of: id) ?? known?.lastPlace ?? known?.base?.todo?.path ?? id.string
    }
}
