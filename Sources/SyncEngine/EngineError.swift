package import TodoModel
package import WorkingCopy

/// The reason why the engine can't do what it was asked to do.
package enum EngineError: Error, Sendable {
    case noWorkingDirectory(from: String)
    /// A folder belongs to a git repository inside a working directory, which ignores it.
    case inNestedRepository(String, root: String)
    case noSuchTodo(String)
    /// Git removed the todo's file.
    case isAbsent(path: String)
    case noSuchFile(String)
    /// The todo was purged: it isn't kept in this folder.
    case notKept(path: String)
    /// The todo wasn't purged, so there is nothing to bring back.
    case isKept(path: String)
    /// The named todo's file has to stay.
    case cannotPurge(path: String, reason: String)
    /// The name is the beginning of several ids, or both a path and an id.
    case ambiguous(String, ids: [TodoID])
    /// The named todo isn't valid.
    case invalid(InvalidFile)
    /// This todo can't be changed until its conflict is resolved.
    case isConflicted(path: String)
    case isNotConflicted(path: String)
    /// Another file has the same id.
    case isDuplicate(DuplicateFile)
    /// No copy of the named todo's file was made by another tool, and the named file isn't one.
    case hasNoCopy(path: String)
    /// The operation log has no such operation.
    case noSuchOperation(String)
    /// The name is the beginning of several operations' ids.
    case ambiguousOperation(String, operations: [String])
    /// The todo had no file at that time, as far as the log shows.
    case noTextAt(String, operation: String)
    /// The operation didn't merge the todo with a change of the remote; those listed did, the newest first.
    case noMergeAt(String, operation: String, merges: [String])
    /// Undoing the newest operation, which the user didn't name, would delete too many todos.
    case undoDeletes(count: Int, of: Int, command: String)
    /// The named todo can't be restored.
    case cannotRestore(path: String, reason: String)
    /// The todo has no such version in this working directory.
    case noSuchVersion(String, ShownVersion)
    case noRemote
    case remoteExists(url: String)
    /// The folder is already a working directory.
    case isWorkingDirectory(String)
    /// The folder is not empty.
    case folderNotEmpty(String)
    case fileExists(String)
    /// The todo was never on the remote, so there is no version to take.
    case neverSynced(path: String)
    /// An operation of the todo was sent and has no answer yet.
    case isUnanswered(path: String)
    case badPath(String, reason: String)
    /// The field can't have this value, or can't be changed at all.
    case badField(String, reason: String)
    /// The fields of this todo can't be changed as the user wants.
    case cannotChange(path: String, FieldChangeProblem)
    /// The remote is a table or store other than the recorded one.
    case otherRemote(url: String)
    /// The remote's history isn't the recorded one, because it was restored from a backup.
    case otherHistory(url: String)
    case configuration(path: String, line: Int, column: Int, reason: String)
    /// The configuration is missing; it named a remote with this URL.
    case lostConfiguration(url: String)
    /// The format of `.todosync` is newer than this program.
    case newerFormat(Int)
    case damaged(path: String, reason: String)
    /// The file kept changing while it was about to be written.
    case keepsChanging(path: String)
    /// An interrupted command can't be finished, because one of its files or folders can't be read.
    case cannotFinish(FileError)
    /// The command was asked to end after it had removed some of the todos' files, in the given order.
    case stoppedRemoving(count: Int, of: Int)
}
