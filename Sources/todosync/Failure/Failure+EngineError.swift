internal import SyncEngine
internal import TodoModel
internal import Values

extension Failure {
    init(_ error: EngineError) {
        switch error {
        case .stoppedRemoving: self.init(interrupted: visible("\(error)"))
        case .ambiguous(_, let found):
            self.init(
                error.code, visible("\(error)"), details: todosync.lines(naming: found), hint: error.hint,
                candidates: found)
        default: self.init(error.code, visible("\(error)"), hint: error.hint, path: error.path)
        }
    }
}

extension EngineError {
    fileprivate var code: FailureCode {
        switch self {
        case .noWorkingDirectory: .noWorkingDirectory
        case .inNestedRepository: .inNestedRepository
        case .noSuchTodo: .noSuchTodo
        case .isAbsent: .absentTodo
        case .noSuchFile: .noSuchFile
        case .notKept: .notKept
        case .isKept: .isKept
        case .ambiguous: .ambiguousTodo
        case .notATodo: .notATodo
        case .noSuchVersion: .noSuchVersion
        case .noSuchOperation: .noSuchOperation
        case .ambiguousOperation: .ambiguousOperation
        case .noTextAt: .noTextInLog
        case .noMergeAt: .noMergeInLog
        case .neverSynced: .neverSynced
        case .invalid: .invalidTodo
        case .isDuplicate: .duplicateTodo
        case .damaged: .damaged
        case .isConflicted: .conflict
        case .isNotConflicted: .noConflict
        case .hasNoCopy: .noCopy
        case .undoDeletes: .undoDeletes
        case .cannotRestore: .cannotRestore
        case .cannotPurge: .cannotPurge
        case .isUnanswered: .unanswered
        case .stoppedRemoving: .interrupted
        case .fileExists: .fileExists
        case .isWorkingDirectory: .isWorkingDirectory
        case .folderNotEmpty: .folderNotEmpty
        case .badPath: .badPath
        case .badField: .badValue
        case .cannotChange(_, let problem): problem.code
        case .keepsChanging: .keepsChanging
        case .cannotFinish: .cannotRecover
        case .noRemote: .noRemote
        case .remoteExists: .remoteExists
        case .otherRemote: .otherRemote
        case .otherHistory: .otherHistory
        case .configuration: .configuration
        case .lostConfiguration: .lostConfiguration
        case .unsupportedFormat(_, let found, let supported): found > supported ? .newerFormat : .olderFormat
        }
    }

    /// The path of the todo or file that the error is about.
    fileprivate var path: String? {
        switch self {
        case .invalid(let file): file.path
        case .isDuplicate(let file): file.path
        case .noSuchFile(let path), .isConflicted(let path, _), .isNotConflicted(let path),
            .hasNoCopy(let path), .cannotRestore(let path, _), .fileExists(let path), .neverSynced(let path),
            .isUnanswered(let path), .badPath(let path, _), .cannotChange(let path, _),
            .configuration(let path, _, _, _), .damaged(let path, _), .keepsChanging(let path),
            .noMergeAt(let path, _, _), .isAbsent(let path), .notKept(let path),
            .isKept(let path), .cannotPurge(let path, _), .notATodo(let path, _):
            path
        default: nil
        }
    }

    /// The next step on the command line; nil if the message is enough.
    fileprivate var hint: String? {
        switch self {
        case .noWorkingDirectory(_, isStashed: true):
            "\"git stash --all\" has put .todosync into the stash; run \"git stash pop\" to bring it back"
        case .noWorkingDirectory:
            "run \"todosync init\" to create one, or \"todosync clone URL\" to clone a remote"
        case .inNestedRepository(_, let root):
            "run \"todosync init\" there, or run this command in \(shellQuoted(visible(root)))"
        case .noSuchTodo:
            "use a handle, a path or words from the text; run \"todosync list --all\" to list all todos"
        case .isAbsent(let path):
            "run \"todosync discard \(shellQuoted(visible(path)))\" to bring it back"
        case .notKept(let path):
            "run \"todosync purge --undo \(shellQuoted(visible(path)))\" to bring it back"
        case .isKept: "run \"todosync purge --undo --dry-run\" to list the purged todos"
        case .notATodo: "run \"todosync status --verbose\" to list the ignored files"
        case .ambiguous: "type a handle or a path, or more of the words"
        case .invalid(let file): "run \"todosync edit \(shellQuoted(visible(file.path)))\" to fix it"
        case .isConflicted(let path, let isOfGit):
            isOfGit
                ? Advice.resolveMarkers(shellQuoted(visible(path)), isUnmerged: true)
                : Advice.resolve(shellQuoted(visible(path)))
        case .isNotConflicted: "run \"todosync status\" to list the conflicts"
        case .hasNoCopy: "run \"todosync status\" to list the copies"
        case .isDuplicate(let file) where file.isCopy: Advice.adopt
        case .isDuplicate(let file) where file.comesFromGit:
            "git has the todo in this file, too; run \"todosync rm \(shellQuoted(visible(file.path)))\" to remove it"
        case .isDuplicate(let file):
            "run \"todosync add \(shellQuoted(visible(file.path)))\" to give it a new id"
        case .noSuchOperation:
            "run \"todosync log\" to list the operations; type four or more characters of an id, or @1 for the last one"
        case .ambiguousOperation(_, let operations):
            "type more of it: " + operations.prefix(3).map(visible).joined(separator: ", ")
        case .noTextAt(let name, _):
            "run \"todosync log \(shellQuoted(visible(name)))\" to list its operations"
        case .noMergeAt(let path, _, let merges):
            merges.isEmpty
                ? "the operation log has no merge of \(visible(path))"
                : "these operations did, newest first: "
                    + merges.prefix(3).map { visible(String($0.prefix(8))) }.joined(separator: ", ")
        case .undoDeletes:
            "nothing was changed; run \"todosync undo OPERATION\" to undo it anyway, "
                + "or \"todosync log\" to list the operations"
        case .fileExists: "choose a different path"
        case .neverSynced(let path): "run \"todosync rm \(shellQuoted(visible(path)))\" to delete it"
        case .isUnanswered: "run \"todosync sync\" first"
        case .keepsChanging: "try again when the other program has finished"
        case .cannotFinish: "nothing was changed; try again when the file can be read and written"
        case .noRemote:
            "run \"todosync remote add origin URL\" to add one, or \"todosync init --bare DIR\" to create a store"
        case .remoteExists: "run \"todosync remote set-url origin URL\" to change it"
        case .folderNotEmpty: "choose a different folder"
        case .otherRemote:
            "nothing was changed; to switch to this one, run \"todosync remote set-url origin URL\""
        case .otherHistory:
            "nothing was changed; run \"todosync remote set-url origin URL\" to start over with it; no todo is lost"
        case .configuration: "fix the file; see \"todosync help configuration\""
        case .lostConfiguration(let url): Advice.lostConfiguration(url)
        case .unsupportedFormat(_, let found, let supported):
            found > supported
                ? Advice.newerFormat
                : "run \"todosync push\" with the todosync that created it, and clone the table anew with this one; "
                    + "without a remote, remove .todosync and run \"todosync init\""
        case .damaged: "move it away; the next pull then links todos by id"
        case .cannotChange(_, let problem): problem.hint
        case .noSuchFile, .noSuchVersion, .cannotRestore, .cannotPurge, .badPath, .badField, .stoppedRemoving,
            .isWorkingDirectory:
            nil
        }
    }
}
