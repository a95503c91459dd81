internal import SyncEngine

extension Session {
    /// Tells what waits for the user, and returns the status that a report ends with.
    ///
    /// - Throws: What stopped the command midway, after all that it did has been told.
    func finish(_ report: SyncReport, style: Style) throws -> ExitStatus {
        if !report.hasDoneNothing { warn(warnings(report, style)) }
        if let stop = report.stop { throw stop }
        return report.needsUser ? .needsUser : .done
    }
}
