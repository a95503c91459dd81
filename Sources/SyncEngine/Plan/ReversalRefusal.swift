internal import TodoModel
internal import WorkingCopy

/// Why a todo wasn't changed back.
struct ReversalRefusal: Error {
    var reason: String
    /// The failed call to the operating system, if there was one.
    var cause: FileError?

    init(_ reason: String) { self.reason = reason }

    /// Creates the refusal to delete a file that was edited after it was created.
    init(editing id: TodoID, after operation: LoggedOperation) {
        let name = operation.operation.prefix(8)
        self.init(
            "it has been edited since; \"todosync show \(id.string) --at \(name)\" prints the earlier text")
    }

    static let isCopyOfUnchanged = Self("the todo that it is a copy of was not changed back")
    static let isConflicted = Self("it has a conflict; run \"todosync resolve\" first")
    static let existsAgain = Self("it exists again, with different text")
    static let isDeleted = Self("it has been deleted since; \"todosync restore\" brings it back")

    init(_ cause: FileError) {
        reason = "\(cause)"
        self.cause = cause
    }
}
