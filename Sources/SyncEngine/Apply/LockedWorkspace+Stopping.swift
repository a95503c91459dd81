internal import TodoModel
internal import WorkingCopy

// How a command ends that is asked to, as by Ctrl-C.
extension LockedWorkspace {
    /// Gives up the changes of files that were announced, where a command that is to end has not begun them.
    func giveUpAnnounced(after error: any Error) throws {
        guard error is CancellationError else { return }
        let announced = tracked.todos.loaded.compactMap { $0.value.unfinished?.id }
        try transaction.record(announced.sorted().map { .abandoned(id: $0) })
    }
}

extension Surroundings {
    /// Returns the error to report: a wait that was given up counts as cancelled, not as a failure.
    func told(_ error: any Error) -> any Error {
        if isAskedToEnd(), case .unavailable? = error as? RemoteError { return CancellationError() }
        return error
    }
}
