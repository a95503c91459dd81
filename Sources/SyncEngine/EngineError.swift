package import TodoModel
package import WorkingCopy

/// The reason why the engine can't do what the caller asked for.
package enum EngineError: Error, Sendable {
    /// - Parameter isStashed: Whether the latest stash in git has its `.todosync`.
    case noWorkingDirectory(from: String, isStashed: Bool = false)
    /// The folder is in a git repository that the working directory ignores.
    case inNestedRepository(String, root: String)
    case noSuchTodo(String)
    /// Git removed the todo's file.
    case isAbsent(path: String)
    case noSuchFile(String)
    /// The todo was purged, so this folder doesn't keep it.
    case notKept(path: String)
    /// The todo wasn't purged, so there is nothing to bring back.
    case isKept(path: String)
    /// The file of the named todo can't be purged.
    case cannotPurge(path: String, reason: String)
    /// Several todos match the name by the same ``NameKind``.
    case ambiguous(String, [NamedTodo])
    /// The file at the path isn't a todo, or todosync ignores it.
    case notATodo(path: String, reason: String)
    /// The named todo isn't valid.
    case invalid(InvalidFile)
    /// The todo can't be changed before its conflict is resolved; `isOfGit` if git also waits for the
    /// resolution.
    case isConflicted(path: String, isOfGit: Bool = false)
    case isNotConflicted(path: String)
    /// Another file has the same id.
    case isDuplicate(DuplicateFile)
    /// The named todo has no copy that another tool made, and the named file isn't one.
    case hasNoCopy(path: String)
    /// The operation log doesn't have the operation.
    case noSuchOperation(String)
    /// The name is a prefix of several operations' ids.
    case ambiguousOperation(String, operations: [String])
    /// According to the log, the todo had no file at that time.
    case noTextAt(String, operation: String)
    /// The operation didn't merge the todo with a remote change. `merges` lists the operations that did,
    /// newest first.
    case noMergeAt(String, operation: String, merges: [String])
    /// Undoing the newest operation, which the user didn't name, would delete too many todos.
    case undoDeletes(count: Int, of: Int, command: String)
    /// The named todo can't be restored.
    case cannotRestore(path: String, reason: String)
    /// The todo doesn't have that version in this working directory.
    case noSuchVersion(String, ShownVersion)
    case noRemote
    case remoteExists(url: String)
    /// The folder is already a working directory.
    case isWorkingDirectory(String)
    /// The folder is not empty.
    case folderNotEmpty(String)
    case fileExists(String)
    /// The todo was never on the remote, so the remote has no version of it.
    case neverSynced(path: String)
    /// An operation on the todo was sent and has no answer yet.
    case isUnanswered(path: String)
    case badPath(String, reason: String)
    /// The field can't have this value or can't be changed.
    case badField(String, reason: String)
    /// The todo's fields can't be changed as requested.
    case cannotChange(path: String, FieldChangeProblem)
    /// The remote isn't the recorded table or store.
    case otherRemote(url: String)
    /// The remote's history isn't the recorded one, because the remote was restored from a backup.
    case otherHistory(url: String)
    case configuration(path: String, line: Int, column: Int, reason: String)
    /// The configuration is missing. It set a remote with this URL.
    case lostConfiguration(url: String)
    /// A newer or an older program wrote `.todosync`.
    case unsupportedFormat(root: String, found: Int, supported: Int)
    case damaged(path: String, reason: String)
    /// The file changed each time that it was about to be written.
    case keepsChanging(path: String)
    /// An interrupted command can't be recovered, because one of its files or folders can't be read.
    case cannotFinish(FileError)
    /// The command was asked to end after removing some of the todos' files, in the given order.
    case stoppedRemoving(count: Int, of: Int)
}
