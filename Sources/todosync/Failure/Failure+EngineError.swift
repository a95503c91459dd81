internal import SyncEngine
internal import TodoModel

extension Failure {
    init(_ error: EngineError) {
        switch error {
        case .noWorkingDirectory(let directory):
            self.init(
                .notFound, "there is no working directory here or above: \(visible(directory))",
                hint: "run \"todosync init\" to create one, or \"todosync clone URL\" to clone a remote")
        case .inNestedRepository(let path, let root):
            self.init(
                .notFound,
                "\(visible(path)) is another git repository, which the working directory \(visible(root)) "
                    + "leaves alone",
                hint: "run \"todosync init\" there, or run this command in \(shellQuoted(visible(root)))")
        case .noSuchTodo(let name):
            self.init(
                .notFound, "there is no todo \(visible(name))",
                hint: "use its path, its id or a prefix of its id; todosync list --all shows the paths"
            )
        case .noSuchFile(let path): self.init(.notFound, "there is no file \(visible(path))")
        case .ambiguous(let name, let ids):
            self.init(
                .notFound, "\(visible(name)) is a prefix of \(ids.count) ids",
                hint: "type more of it: " + ids.prefix(3).map { visible($0.string) }.joined(separator: ", "))
        case .invalid(let file):
            self.init(
                .invalidData, file.line(Style()),
                hint: "run \"todosync edit \(shellQuoted(visible(file.path)))\" to fix it")
        case .isConflicted(let path):
            self.init(.needsUser, "\(visible(path)) has a conflict", hint: Advice.resolve)
        case .isNotConflicted(let path):
            self.init(
                .needsUser, "\(visible(path)) has no conflict", hint: "todosync status lists the conflicts")
        case .isDuplicate(let file):
            self.init(
                .invalidData, "\(visible(file.path)) has the id of \(visible(file.keptBy))",
                hint: "run \"todosync add \(shellQuoted(visible(file.path)))\" to give it a new id")
        case .noSuchVersion(let name, let version):
            self.init(.notFound, "\(visible(name)) has no \(version) version here")
        case .noSuchOperation(let name):
            self.init(
                .notFound, "the operation log has no operation \(visible(name))",
                hint: "todosync log lists the operations")
        case .ambiguousOperation(let name, let operations):
            self.init(
                .notFound, "\(visible(name)) is a prefix of \(operations.count) operations",
                hint: "type more of it: " + operations.prefix(3).map(visible).joined(separator: ", "))
        case .noTextAt(let name, let operation):
            self.init(
                .notFound, "the operation log has no text of \(visible(name)) at \(visible(operation))",
                hint: "todosync log \(shellQuoted(visible(name))) lists the operations that have it")
        case .undoDeletes(let count, let all, let command):
            let whole = count == all ? "all \(counted(count, "todo"))" : "\(count) of \(counted(all, "todo"))"
            self.init(
                .needsUser, "undoing the newest operation (\(visible(command))) would delete \(whole)",
                hint:
                    "nothing was changed; run \"todosync undo OPERATION\" to undo it anyway; todosync log lists operations"
            )
        case .cannotRestore(let path, let reason):
            self.init(.needsUser, "\(visible(path)): \(visible(reason))")
        case .fileExists(let path):
            self.init(
                .cannotCreate, "\(visible(path)) already exists", hint: "choose another path with --file")
        case .neverSynced(let path):
            self.init(
                .notFound, "\(visible(path)) was never synced, so there is nothing to go back to",
                hint: "todosync rm \(shellQuoted(visible(path))) removes it")
        case .isUnanswered(let path):
            self.init(
                .needsUser, "\(visible(path)) was sent, and the remote has not answered yet",
                hint: "run \"todosync sync\" first")
        case .badPath(let path, let reason): self.init(.usage, "\(visible(path)): \(visible(reason))")
        case .badField(_, let reason): self.init(.usage, visible(reason))
        case .keepsChanging(let path):
            self.init(
                .cannotReadOrWrite, "\(visible(path)) keeps changing while todosync tries to write it",
                hint: "try again when the other program has finished")
        case .cannotFinish(let error):
            self.init(
                .cannotReadOrWrite,
                "can't finish an interrupted command: \(visible("\(error)"))",
                hint: "nothing was changed; try again when the file can be read and written")
        case .stoppedRemoving(let count, let all):
            self.init(
                interrupted:
                    "\(count) of \(counted(all, "todo")) removed, in the order given; the others remain")
        case .noRemote:
            self.init(
                .configuration, "this working directory has no remote",
                hint:
                    "run \"todosync remote add origin URL\" to add one; todosync init --bare DIR creates a store"
            )
        case .remoteExists(let url):
            self.init(
                .configuration, "this working directory already has a remote: \(visible(url))",
                hint: "run \"todosync remote set-url origin URL\" to change it")
        case .isWorkingDirectory(let path):
            self.init(.cannotCreate, "\(visible(path)) is already a working directory")
        case .folderNotEmpty(let path):
            self.init(
                .cannotCreate, "\(visible(path)) exists and is not empty", hint: "choose another folder")
        case .otherRemote(let url):
            self.init(
                .configuration, "\(visible(url)) is not the same remote as before",
                hint:
                    "nothing was changed; to switch to this one, run \"todosync remote set-url origin URL\""
            )
        case .otherHistory(let url):
            self.init(
                .configuration, "\(visible(url)) was restored to an older state, for example from a backup",
                hint:
                    "nothing was changed; run \"todosync remote set-url origin URL\" to start over with it; no todo is lost"
            )
        case .configuration(let path, let line, let column, let reason):
            self.init(
                .configuration, "\(visible(path)):\(line):\(column): \(visible(reason))",
                hint: "edit the file; without it, there is no remote and no include setting")
        case .lostConfiguration(let url):
            self.init(.configuration, Advice.configurationIsLost, hint: Advice.lostConfiguration(url))
        case .newerFormat(let number):
            self.init(
                .configuration, ".todosync has format \(number), but this todosync is too old for it",
                hint: "a newer todosync created it; install that version")
        case .damaged(let path, let reason):
            self.init(
                .invalidData, "\(visible(path)) is damaged: \(visible(reason))",
                hint: "move it away; the next pull then links todos by id")
        }
    }
}
