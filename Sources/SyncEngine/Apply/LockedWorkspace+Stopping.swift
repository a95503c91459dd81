internal import TodoModel
internal import WorkingCopy

// Ends a command that is asked to end, for example with Ctrl-C.
extension LockedWorkspace {
    /// Abandons announced edits that the command hadn't begun to apply when it was asked to end.
    func giveUpAnnounced(after error: any Error) throws {
        guard error is CancellationError else { return }
        let announced = tracked.todos.loaded.compactMap { $0.value.unfinished?.id }
        try transaction.record(announced.sorted().map { .abandoned(id: $0) })
    }
}

extension Surroundings {
    /// Returns the error to report.
    ///
    /// A wait for the remote that the user cancelled is a cancellation, not a failure.
    func reporting(_ error: any Error) -> any Error {
        if isAskedToEnd(), let error = error as? RemoteError, error.isUnavailable {
            return CancellationError()
        }
        return error
    }
}
