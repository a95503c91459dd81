internal import TodoModel
internal import Values
package import WorkingCopy

extension Workspace {
    /// Drops old operations from the operation log; returns nil if there is nothing to drop.
    ///
    /// Base versions stay, as do pending, held and conflicting changes and the operations that led to them.
    /// Resolutions that are as old as the dropped operations, or whose todos are deleted, are forgotten as
    /// well.
    ///
    /// - Parameter seconds: The maximum age of operations to keep; nil for the default, which keeps 90 days
    ///   and at least a thousand operations.
    package func compact(keeping seconds: Int?) throws -> CompactionReport? {
        guard var retention = Retention.standard(surroundings.now()) else { return nil }
        if let seconds {
            let now = retention.since + Retention.standardSeconds
            retention = Retention(since: now - seconds, minimumCount: 0)
        }
        let forgotten = try LockedWorkspace.perform(self) { $0.memory.prune(retention, $0.snapshot) }
        try surroundings.checkGoesOn()
        // This is a separate operation, because the journal is only rewritten between operations.
        var report = try LockedWorkspace.perform(self) { locked in
            try locked.transaction.compact(
                retention, pending: locked.snapshot.pendingOrUnreadable(),
                progress: surroundings.progress)
        }
        if forgotten > 0 {
            report = report ?? CompactionReport()
            report?.forgottenResolutions = forgotten
        }
        return report
    }
}

extension Retention {
    fileprivate static let standardSeconds = 90 * 86_400

    /// Returns the default retention; nil if the time can't be parsed.
    static func standard(_ now: String) -> Retention? {
        guard case .instant(let instant)? = Due(now) else { return nil }
        return Retention(since: instant.seconds - standardSeconds, minimumCount: 1000)
    }
}
