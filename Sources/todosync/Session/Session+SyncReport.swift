internal import SyncEngine

extension Session {
    /// Tells what waits for the user, and returns the status that a report ends with.
    ///
    /// - Throws: What stopped the command midway, or files that could not be read or written, after all that
    ///   it did has been told.
    func finish(_ report: SyncReport, style: Style) throws -> ExitStatus {
        if !report.hasDoneNothing { warn(warnings(report, style)) }
        if report.stop is CancellationError { throw Failure(interrupted: report) }
        if let stop = report.stop { throw stop }
        if let failure = Failure(leaving: report.postponed.compactMap(\.cause)) { throw failure }
        if let error = report.unreadable.first { throw error }
        return report.needsUser ? .needsUser : .done
    }
}
