internal import TodoModel
internal import Values
internal import WorkingCopy

/// Why a todo wasn't changed back.
struct ReversalRefusal: Error {
    var reason: String
    /// The failed call to the operating system, if there was one.
    var cause: FileError?

    init(_ reason: String) { self.reason = reason }

    /// Creates the refusal to delete a file that was edited after it was created.
    init(editing id: TodoID, after operation: LoggedOperation, in snapshot: Snapshot) {
        let (handle, name) = (shellQuoted(Handles(snapshot).handle(of: id)), operation.operation.prefix(8))
        self.init(
            "it has been edited since; \"todosync show \(handle) --at \(name)\" prints the earlier text")
    }

    /// Creates the refusal to delete a file that an editor created: undoing a folder's first push would
    /// delete all files.
    init(createdAt path: String) {
        self.init("it was created with an editor; run \"todosync rm \(shellQuoted(path))\" to delete it")
    }

    /// Creates the refusal to change back a todo whose file git changed or removed; nil if git didn't.
    ///
    /// The file has none of the changes since git's version, so there is nothing to undo in it.
    init?(changedByGit id: TodoID, in snapshot: Snapshot) {
        guard case .held(let held, _) = snapshot.condition(of: id).ofFile else { return nil }
        switch held.reason {
        case .deletedTodo:
            self.init("it was deleted, but its committed file is back; \"todosync push\" sends the file")
        case .olderVersion:
            self.init("git put an older version in its file; run \"todosync discard\" on it first")
        case .notSentYet:
            self.init("git checked it out, and it was never sent; run \"todosync discard\" on it first")
        case .removedByGit:
            self.init("git removed its file; run \"todosync discard\" on it first")
        default: return nil
        }
    }

    static let isCopyOfUnchanged = Self("its original was not changed back")
    static let isConflicted = Self("it has a conflict; run \"todosync resolve\" first")
    static let existsAgain = Self("it exists again, with different content")
    static let isDeleted = Self(
        "it has been deleted since; run \"todosync restore TODO --to OPERATION\" to restore it")

    init(_ cause: FileError) {
        reason = "\(cause)"
        self.cause = cause
    }
}
