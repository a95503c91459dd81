internal import TodoModel
internal import WorkingCopy

extension EngineError: CustomStringConvertible {
    /// What happened, with the file or folder.
    package var description: String {
        switch self {
        case .noWorkingDirectory(let directory, _):
            "there is no working directory here or above: \(directory)"
        case .inNestedRepository(let path, let root):
            "\(path) is another git repository, which the working directory \(root) ignores"
        case .noSuchTodo(let name): "no todo matches \(name)"
        case .isAbsent(let path): "git removed \(path), so there is no file to change"
        case .notKept(let path): "\(path) was purged from this folder"
        case .isKept(let path): "\(path) was not purged"
        case .cannotPurge(let path, let reason): "can't purge \(path): \(reason)"
        case .noSuchFile(let path): "\(path) does not exist"
        case .ambiguous(let name, let found): "\(name) matches \(todos(found.count))"
        case .notATodo(let path, let reason): "\(path) is not a todo: \(reason)"
        case .invalid(let file):
            "\(file.path):\(file.problem.line):\(file.problem.column): \(file.problem.message)"
        case .isConflicted(let path, _): "\(path) has a conflict"
        case .isNotConflicted(let path): "\(path) has no conflict"
        case .isDuplicate(let file):
            file.isCopy
                ? "\(file.path) is a copy of \(file.keptBy) that another tool made"
                : "\(file.path) has the id of \(file.keptBy)"
        case .hasNoCopy(let path): "\(path) is not a copy that another tool made, and has no such copies"
        case .noSuchVersion(let name, let version): "\(name) has no \(version) version here"
        case .noSuchOperation(let name): "the operation log has no operation \(name)"
        case .ambiguousOperation(let name, let operations):
            "\(name) is a prefix of \(operations.count.grouped) operations"
        case .noTextAt(let name, let operation):
            "the operation log has no text of \(name) at \(operation)"
        case .noMergeAt(let path, let operation, _): "the operation \(operation) did not merge \(path)"
        case .undoDeletes(let count, let all, let command):
            "undoing the newest operation (\(command)) would delete "
                + (count == all ? "all \(todos(all))" : "\(count.grouped) of \(todos(all))")
        case .cannotRestore(let path, let reason): "\(path): \(reason)"
        case .fileExists(let path): "\(path) already exists"
        case .neverSynced(let path): "\(path) was never synced, so there is nothing to go back to"
        case .isUnanswered(let path): "\(path) was sent, but the remote has not confirmed it yet"
        case .badPath(let path, let reason): "\(path): \(reason)"
        case .badField(_, let reason): reason
        case .cannotChange(let path, let problem): "\(path): \(problem.message)"
        case .keepsChanging(let path): "\(path) keeps changing while todosync tries to write it"
        case .cannotFinish(let error): "can't finish an interrupted command: \(error)"
        case .stoppedRemoving(let count, let all):
            "\(count.grouped) of \(todos(all)) removed, in the order given; the others remain"
        case .noRemote: "this working directory has no remote"
        case .remoteExists(let url): "this working directory already has a remote: \(url)"
        case .isWorkingDirectory(let path): "\(path) is already a working directory"
        case .folderNotEmpty(let path): "\(path) exists and is not empty"
        case .otherRemote(let url): "\(url) is not the same remote as before"
        case .otherHistory(let url): "\(url) was restored to an older state, for example from a backup"
        case .configuration(let path, let line, let column, let reason):
            "\(path):\(line):\(column): \(reason)"
        case .lostConfiguration: Self.configurationIsLost
        case .unsupportedFormat(let root, let found, let supported):
            "\(root)/.todosync has format \(found); this todosync supports format \(supported)"
        case .damaged(let path, let reason): "\(path) is damaged: \(reason)"
        }
    }

    package static let configurationIsLost =
        ".todosync/config.yaml is missing or empty: the remote, include and other settings are lost"

    private func todos(_ count: Int) -> String { count == 1 ? "1 todo" : "\(count.grouped) todos" }
}

extension Int {
    /// The number with thousands separators: `99,980`.
    package var grouped: String {
        let digits = String(magnitude)
        let groups = stride(from: digits.utf8.count % 3, through: digits.utf8.count, by: 3).map { end in
            digits.prefix(end).suffix(3)
        }
        return (self < 0 ? "-" : "") + groups.filter { !$0.isEmpty }.joined(separator: ",")
    }
}
