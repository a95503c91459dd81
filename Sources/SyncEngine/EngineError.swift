package import TodoModel
package import WorkingCopy

/// Why the engine can't do what it was asked to.
package enum EngineError: Error, Sendable {
    case noWorkingDirectory(from: String)
    case noSuchTodo(String)
    case noSuchFile(String)
    /// The beginning of several ids, or a path and an id.
    case ambiguous(String, ids: [TodoID])
    /// The todo named is not valid as it is.
    case invalid(InvalidFile)
    /// A change of this todo has to wait until its conflict is resolved.
    case isConflicted(path: String)
    case isNotConflicted(path: String)
    /// The file has an id that another file has.
    case isDuplicate(DuplicateFile)
    /// The operation log has no such operation.
    case noSuchOperation(String)
    /// The beginning of several operations' ids.
    case ambiguousOperation(String, operations: [String])
    /// The todo had no file then, as far as the log knows.
    case noTextAt(String, operation: String)
    /// Taking back the newest operation, which the user did not name, would delete so many todos.
    case undoDeletes(count: Int, of: Int, command: String)
    /// The todo named can't be brought back as it was.
    case cannotRestore(path: String, reason: String)
    /// The todo has no such version here.
    case noSuchVersion(String, ShownVersion)
    case noRemote
    case remoteExists(url: String)
    /// The folder is a working directory already.
    case isWorkingDirectory(String)
    /// The folder is not empty.
    case folderNotEmpty(String)
    case fileExists(String)
    case badPath(String, reason: String)
    /// The field can't have this value, or can't be changed at all.
    case badField(String, reason: String)
    /// The remote is another table or store than the one this working directory knows.
    case otherRemote(url: String)
    /// The remote's history is not the one this working directory knows: it was put back from a backup.
    case otherHistory(url: String)
    case configuration(path: String, line: Int, column: Int, reason: String)
    /// The configuration is not there any more, which named a remote with this URL.
    case lostConfiguration(url: String)
    /// The format of `.todosync` is newer than this program.
    case newerFormat(Int)
    case damaged(path: String, reason: String)
    /// The file changed again and again while it was to be written.
    case keepsChanging(path: String)
    /// What an interrupted command had begun can't be finished, as a file or folder of it can't be read.
    case cannotFinish(FileError)
    /// The command was asked to end when it had removed some of the todos' files, in the order given.
    case stoppedRemoving(count: Int, of: Int)
}
