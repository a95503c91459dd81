internal import SyncEngine
internal import TodoModel

extension Failure {
    init(_ error: EngineError) {
        if case .stoppedRemoving = error {
            self.init(interrupted: visible("\(error)"))
        } else {
            self.init(error.status, visible("\(error)"), hint: error.hint)
        }
    }
}

extension EngineError {
    fileprivate var status: ExitStatus {
        switch self {
        case .noWorkingDirectory, .inNestedRepository, .noSuchTodo, .noSuchFile, .ambiguous, .noSuchVersion,
            .noSuchOperation,
            .ambiguousOperation, .noTextAt, .noMergeAt, .neverSynced:
            .notFound
        case .invalid, .isDuplicate, .damaged: .invalidData
        case .isConflicted, .isNotConflicted, .hasNoCopy, .undoDeletes, .cannotRestore, .isUnanswered,
            .stoppedRemoving:
            .needsUser
        case .fileExists, .isWorkingDirectory, .folderNotEmpty: .cannotCreate
        case .badPath, .badField: .usage
        case .cannotChange(_, let problem): problem.isAboutFile ? .invalidData : .usage
        case .keepsChanging, .cannotFinish: .cannotReadOrWrite
        case .noRemote, .remoteExists, .otherRemote, .otherHistory, .configuration, .lostConfiguration,
            .newerFormat:
            .configuration
        }
    }

    /// The next step on the command line; nil if the message says it all.
    fileprivate var hint: String? {
        switch self {
        case .noWorkingDirectory:
            "run \"todosync init\" to create one, or \"todosync clone URL\" to clone a remote"
        case .inNestedRepository(_, let root):
            "run \"todosync init\" there, or run this command in \(shellQuoted(visible(root)))"
        case .noSuchTodo:
            "use its path, its id or a prefix of its id; \"todosync list --all\" shows the paths"
        case .ambiguous(_, let ids):
            "type more of it: " + ids.prefix(3).map { visible($0.string) }.joined(separator: ", ")
        case .invalid(let file): "run \"todosync edit \(shellQuoted(visible(file.path)))\" to fix it"
        case .isConflicted: Advice.resolve
        case .isNotConflicted: "\"todosync status\" lists the conflicts"
        case .hasNoCopy: "\"todosync status\" lists the copies"
        case .isDuplicate(let file) where file.isCopy: Advice.adopt
        case .isDuplicate(let file):
            "run \"todosync add \(shellQuoted(visible(file.path)))\" to give it a new id"
        case .noSuchOperation: "\"todosync log\" lists the operations"
        case .ambiguousOperation(_, let operations):
            "type more of it: " + operations.prefix(3).map(visible).joined(separator: ", ")
        case .noTextAt(let name, _):
            "\"todosync log \(shellQuoted(visible(name)))\" lists the operations that have it"
        case .noMergeAt(let path, _, let merges):
            merges.isEmpty
                ? "the operation log has no merge of \(visible(path))"
                : "these operations did, the newest first: "
                    + merges.prefix(3).map { visible(String($0.prefix(8))) }.joined(separator: ", ")
        case .undoDeletes:
            "nothing was changed; run \"todosync undo OPERATION\" to undo it anyway; "
                + "\"todosync log\" lists operations"
        case .fileExists: "choose another path"
        case .neverSynced(let path): "\"todosync rm \(shellQuoted(visible(path)))\" removes it"
        case .isUnanswered: "run \"todosync sync\" first"
        case .keepsChanging: "try again when the other program has finished"
        case .cannotFinish: "nothing was changed; try again when the file can be read and written"
        case .noRemote:
            "run \"todosync remote add origin URL\" to add one; \"todosync init --bare DIR\" creates a store"
        case .remoteExists: "run \"todosync remote set-url origin URL\" to change it"
        case .folderNotEmpty: "choose another folder"
        case .otherRemote:
            "nothing was changed; to switch to this one, run \"todosync remote set-url origin URL\""
        case .otherHistory:
            "nothing was changed; run \"todosync remote set-url origin URL\" to start over with it; no todo is lost"
        case .configuration: "edit the file; without it, there is no remote and no include setting"
        case .lostConfiguration(let url): Advice.lostConfiguration(url)
        case .newerFormat: "a newer todosync created it; install that version"
        case .damaged: "move it away; the next pull then links todos by id"
        case .cannotChange(_, let problem): problem.hint
        case .noSuchFile, .noSuchVersion, .cannotRestore, .badPath, .badField, .stoppedRemoving,
            .isWorkingDirectory:
            nil
        }
    }
}
