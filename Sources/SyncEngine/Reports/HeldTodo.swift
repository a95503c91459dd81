internal import Git
package import LosslessYAML
package import TodoModel
package import WorkingCopy

/// A todo that isn't sent, or whose file isn't changed, until something happens.
package struct HeldTodo: Sendable, Hashable {
    /// The todo's id; nil if its file has none yet.
    package var id: TodoID?
    package var path: String
    package var reason: HeldReason
    /// What the reason alone doesn't say, such as a message of git's or the remote's.
    package var detail: String?
    /// The failed call to the operating system, if there was one.
    package var cause: FileError?
    /// All the changes that a guard withholds together with this one.
    package var withheld: WithheldChanges?
    /// The pending operation that isn't sent; nil if only the remote's change isn't applied.
    package var operation: OperationKind?
    /// Whether git's latest stash has the newest version.
    package var isStashed = false
    /// Whether the newest version's branch isn't checked out, so that nothing needs to be decided here.
    package var isElsewhere = false
    /// Whether the file is gone.
    package var isAbsent = false
    /// The fields whose values differ between the file and the newest version, with both values.
    package var differences: [FieldDifference] = []

    /// The reason as a phrase, after the todo's path.
    package var message: String {
        switch reason {
        case .olderVersion: "git checked out an older version"
        case .deletedTodo: "the todo was deleted, but git brought its file back"
        case .notSentYet: "git checked it out, and it was never sent"
        case .removedByGit: "git removed its file"
        case .gitFailed: "its file changed, but git failed (\(detail ?? ""))"
        case .manyDeletes: "many todos would be deleted"
        case .manyEdits: "many todos would be changed"
        case .manyDiffer: "local and remote differ, and the base version is unknown"
        case .gitOperation: "git is in the middle of an operation"
        case .invalidFile: "its file is not valid"
        case .notApplied: "the remote's change has not been applied yet"
        case .invalidRecord: "the remote's version is not a valid todo: \(detail ?? "")"
        case .fileError: cause.map { "\($0)" } ?? ""
        case .keepsChanging: detail ?? "the file keeps changing"
        case .hiddenFile, .unanswered: detail ?? ""
        }
    }
}

extension [HeldTodo] {
    /// The todos whose files git changed or removed.
    package var ofGit: [HeldTodo] { filter(\.reason.isOfGit) }
    /// The todos whose file is there, on another branch than the newest version's.
    package var behind: [HeldTodo] { ofGit.filter { $0.isElsewhere && !$0.isAbsent } }
    /// The todos without a file, on another branch than the newest version's.
    package var absent: [HeldTodo] { ofGit.filter { $0.isElsewhere && $0.isAbsent } }
    /// The todos that wait for their file or the remote, not for git or for a guard.
    package var waiting: [HeldTodo] {
        filter { !$0.reason.isOfGit && !$0.reason.isOfGuard && $0.reason != .gitOperation }
    }
    /// The changes that guards withhold: edits, then deletes, those made here last.
    package var withheld: [WithheldChanges] {
        let changes = Set(lazy.compactMap(\.withheld))
        return changes.sorted { $0.urgency < $1.urgency }
    }

    /// Returns whether any of the todos needs the user.
    ///
    /// - Parameter leavesGit: Whether todos held because of git need no action (`git.forward: never`).
    package func needUser(_ leavesGit: Bool) -> Bool {
        contains { $0.reason.isOfGit ? !$0.isElsewhere && !leavesGit : true }
    }

    /// Adds todos, instead of those that were held for the same reason by the same side.
    mutating func replace(by todos: [HeldTodo]) {
        guard let first = todos.first else { return }
        removeAll { $0.reason == first.reason && $0.withheld?.side == first.withheld?.side }
        self += todos
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

    /// Returns the todos of a snapshot whose files git changed or removed, in the order of their paths.
    static func ofGit(in snapshot: Snapshot) -> [HeldTodo] {
        var todos = snapshot.standings.keys.compactMap { id -> HeldTodo? in
            guard case .held(let held, let isElsewhere) = snapshot.condition(of: id).ofFile else {
                return nil
            }
            return HeldTodo(
                id: id, path: snapshot.folder.lastPath(of: id, snapshot.tracked), reason: held.reason,
                detail: held.problem, isStashed: held.isStashed, isElsewhere: isElsewhere,
                isAbsent: !snapshot.folder.hasFile(of: id))
        }.sorted(byBytesOf: \.path)
        for index in todos.indices.prefix(manyTodos) {
            guard let id = todos[index].id else { continue }
            todos[index].differences = FieldDifference.all(of: id, in: snapshot)
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
    func lastPath(of id: TodoID, _ tracked: State) -> String {
        let recorded = tracked.todos[id]
        return path(of: id) ?? recorded?.lastLocalPath ?? recorded?.base?.todo?.path ?? id.string
    }
}
