internal import TodoModel
internal import WorkingCopy

// How a command ends when it is asked to, for example by Ctrl-C.
extension LockedWorkspace {
    /// Abandons the announced edits that a command didn't begin before it was asked to end.
    func giveUpAnnounced(after error: any Error) throws {
        guard error is CancellationError else { return }
        let announced = tracked.todos.loaded.compactMap { $0.value.unfinished?.id }
        try transaction.record(announced.sorted().map { .abandoned(id: $0) })
    }
}

extension Surroundings {
    /// Returns the error to report: a wait that was cancelled counts as a cancellation, not as a failure.
    func told(_ error: any Error) -> any Error {
        if isAskedToEnd(), let error = error as? RemoteError, error.isUnavailable {
            return CancellationError()
        }
        return error
    }
}
