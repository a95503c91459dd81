internal import TodoModel
internal import WorkingCopy

/// Why a todo is left as it is.
struct ReversalRefusal: Error {
    var reason: String
    /// The call to the operating system that failed, if one did.
    var cause: FileError?

    init(_ reason: String) { self.reason = reason }

    /// Creates the refusal to delete a file that was changed since it came.
    init(editing id: TodoID, after operation: LoggedOperation) {
        let name = operation.operation.prefix(8)
        self.init("it was edited since; todosync show \(id.string) --at \(name) prints the earlier text")
    }

    init(_ cause: FileError) {
        reason = "\(cause)"
        self.cause = cause
    }
}
