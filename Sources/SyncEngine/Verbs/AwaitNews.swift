internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Waits until the remote has changes that haven't been pulled.
    ///
    /// - Parameter time: The longest wait, at most 50 seconds.
    /// - Returns: Whether it has any; nil if the remote can't wait.
    /// - Throws: ``EngineError/noRemote``, or the remote's error.
    package func awaitNews(for time: Duration) async throws -> Bool? {
        guard let url = try remoteURL else { throw EngineError.noRemote }
        let remote = try surroundings.connect(url)
        return try await remote.awaitChanges(after: directory.state().cursor, for: time)
    }
}
