internal import Git
internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import Values
internal import WorkingCopy

// Files with conflict markers but without a recorded conflict, such as those that git leaves.

extension ConflictedText {
    /// Returns whether each side that has an id belongs to the todo.
    func isOfOneTodo(_ id: TodoID) -> Bool {
        [Side.local, .remote].allSatisfy { side in
            guard let bytes = taking(side), let found = LineScan.id(in: bytes) else { return true }
            return found == id
        }
    }
}

extension TodoID {
    /// Creates the id of the todo in an untracked file with a conflict; nil if the sides aren't versions of
    /// one todo.
    ///
    /// If neither side has an id, the id is derived from the file's path and text, so it is the same for
    /// everybody with this file. Resolving the conflict writes the id into the file.
    init?(ofUntracked text: ConflictedText, path: String, _ bytes: [UInt8]) {
        let sides = [Side.local, .remote].compactMap { text.taking($0) }.compactMap { try? Todo(parsing: $0) }
        let ids = Set(sides.compactMap(\.id))
        guard sides.count == 2, ids.count < 2 else { return nil }
        let name = path + "\n" + String(decoding: bytes, as: UTF8.self)
        self = ids.first ?? TodoID(BinaryUUID(named: name, in: .zero))
    }
}

extension TodoProblem {
    /// Returns the problem of a file whose markers don't belong to a todo's conflict.
    static func strayMarkers(in bytes: [UInt8], isBetweenTodos: Bool = false) -> TodoProblem {
        TodoProblem(
            reason: .markers(
                isBetweenTodos
                    ? "conflict markers between todos with different ids; remove them"
                    : "conflict markers in a file that isn't a tracked todo; remove them"),
            line: ConflictedText.firstMarkerLine(in: bytes) ?? 1, column: 1)
    }
}

extension Folder {
    /// Returns the labels of the first conflict's markers in a file, with the commits that git merges or has
    /// merged.
    func sideLabels(_ file: ConflictedFile) -> SideLabels {
        let labels = ConflictedText.labels(in: file.bytes)
        func naming(_ commit: String?, _ label: String, _ side: Side) -> String {
            guard let commit = commit?.prefix(7), !label.contains(commit) else { return label }
            // Git doesn't pass the sides' labels to every merge driver.
            return label == side.rawValue ? String(commit) : "\(label), \(commit)"
        }
        let isUnmerged = gitMerge.unmerged.contains(file.path)
        let isPopped =
            labels == ("Updated upstream", "Stashed changes") || isUnmerged && !gitMerge.isInProgress
        let head = isPopped || gitMerge.isInProgress ? gitMerge.head : nil
        let isHead = isPopped || ["HEAD", Side.local.rawValue].contains(labels.local)
        return SideLabels(
            local: isHead ? naming(head, labels.local, .local) : labels.local,
            remote: naming(isPopped ? gitMerge.stash : gitMerge.merged, labels.remote, .remote),
            isUnmergedInGit: isUnmerged)
    }
}

extension OpenConflict {
    /// Creates the record of a conflict that only the markers in a todo's file show; nil if there isn't one,
    /// or if the remote doesn't have the todo.
    init?(inMarkersOf id: TodoID, _ snapshot: Snapshot) {
        guard let recorded = snapshot.tracked.todos[id], recorded.conflict == nil, let base = recorded.base,
            base.todo != nil, let file = snapshot.folder.conflicted[id],
            case .markers(let text) = file.content
        else { return nil }
        self.init(
            kind: .git, fields: text.conflictingFields, local: file.bytes, localPath: file.path, remote: base)
    }
}

extension ConflictedTodo {
    /// Returns the conflicts that only the markers in the files show, in no particular order.
    static func marked(in snapshot: Snapshot) -> [ConflictedTodo] {
        let folder = snapshot.folder
        return folder.conflicted.values.compactMap { file in
            guard snapshot.tracked.todos[file.id]?.conflict == nil, case .markers(let text) = file.content
            else { return nil }
            return ConflictedTodo(
                id: file.id, path: file.path, fields: text.conflictingFields, kind: .git, hasMarkers: true,
                labels: folder.sideLabels(file), deletingSide: text.deletingSide(of: file.id))
        }
    }
}

extension ConflictedText {
    /// Returns the side that has nothing but the todo's id, which means that it deleted the todo.
    fileprivate func deletingSide(of id: TodoID) -> Side? {
        [Side.local, .remote].first { side in taking(side).map { isDeletion($0, id) } ?? false }
    }
}
