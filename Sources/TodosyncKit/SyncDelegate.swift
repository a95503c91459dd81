/// Decides the conflicts of a push, a pull or a sync, and gets its report.
///
/// This is what `MSSyncContextDelegate` is in Azure Mobile Services' tutorial *Handling conflicts with
/// offline data synchronization*: its `tableOperation(_:onComplete:)` is ``resolve(_:)``, and its
/// `syncContext(_:onPushCompleteWithError:completion:)` is ``didComplete(_:)``.
public protocol SyncDelegate: Sendable {
    /// Decides a conflict that the merge rules of the configuration and remembered resolutions left.
    ///
    /// The answer is sent on the condition that the remote still has ``Conflict/remote``. If the remote has
    /// changed again, and that is a conflict, too, this method is called again, up to ten times in one push.
    /// After that, the todo stays pending.
    ///
    /// An answer that doesn't fit the conflict leaves it to the user, with a line in
    /// ``SyncReport/warnings``. An error stops the sync; what was done until then is kept. The working
    /// directory is locked while this method runs, so it must not change todos in it.
    func resolve(_ conflict: Conflict) async throws -> ConflictAnswer

    /// Called once at the end, also if an error stopped the sync midway; not if nothing could be done.
    func didComplete(_ report: SyncReport) async
}

extension SyncDelegate {
    /// Does nothing.
    public func didComplete(_ report: SyncReport) async {}
}
