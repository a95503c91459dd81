internal import TodoModel
internal import Values
package import WorkingCopy

extension Workspace {
    /// Leaves old operations out of the operation log.
    ///
    /// What is pending, held back or in conflict, and base versions, stay in any case, and so do the
    /// operations that made todos pending or brought them into conflict. Resolutions that are as old, or of
    /// todos that are gone, are forgotten, too.
    /// - Parameter seconds: How old an operation may be that stays; nil for the standard: all of 90 days, and
    ///   a thousand operations at least.
    package func compact(keeping seconds: Int?) throws -> CompactionReport? {
        guard var retention = Retention.standard(surroundings.now()) else { return nil }
        if let seconds {
            let now = retention.since + Retention.standardSeconds
            retention = Retention(since: now - seconds, minimumCount: 0)
        }
        let forgotten = try LockedWorkspace.perform(self) { $0.memory.prune(retention, $0.snapshot) }
        try surroundings.checkGoesOn()
        // An operation of its own, as the journal is written anew between operations only.
        var report = try LockedWorkspace.perform(self) { locked in
            try locked.transaction.compact(retention, pending: locked.snapshot.pendingOrUnreadable())
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

    /// What stays where nobody says otherwise; nil where the time can't be read.
    static func standard(_ now: String) -> Retention? {
        guard case .instant(let instant)? = Due(now) else { return nil }
        return Retention(since: instant.seconds - standardSeconds, minimumCount: 1000)
    }
}
