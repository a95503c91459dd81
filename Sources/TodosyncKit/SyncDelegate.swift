/// Resolves the conflicts of a push, pull or sync, and receives its report.
///
/// This protocol corresponds to `MSSyncContextDelegate` in Azure Mobile Services' tutorial *Handling
/// conflicts with offline data synchronization*: ``resolve(_:)`` corresponds to its
/// `tableOperation(_:onComplete:)`, and ``didComplete(_:)`` to its
/// `syncContext(_:onPushCompleteWithError:completion:)`.
public protocol SyncDelegate: Sendable {
    /// Resolves a conflict that neither the configured merge rules nor remembered resolutions have resolved.
    ///
    /// The answer is sent on the condition that the remote still has ``Conflict/remote``. If the remote has
    /// changed again and that causes another conflict, this method is called again, up to ten times in one
    /// push. After that, the todo stays pending.
    ///
    /// If an answer doesn't fit the conflict, the conflict is left to the user, with a line in
    /// ``SyncReport/warnings``. An error stops the sync, but doesn't undo earlier changes. The working
    /// directory is locked while this method runs, so don't change todos in it.
    func resolve(_ conflict: Conflict) async throws -> ConflictAnswer

    /// Receives the report once at the end, unless an error stopped the sync before it did anything.
    func didComplete(_ report: SyncReport) async
}

extension SyncDelegate {
    /// Does nothing.
    public func didComplete(_ report: SyncReport) async {}
}
