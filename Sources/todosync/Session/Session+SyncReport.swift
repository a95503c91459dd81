internal import SyncEngine

extension Session {
    /// Warns about what needs the user's attention and returns the exit status for a report.
    ///
    /// - Throws: The error that stopped the command, or that prevented it from reading or writing files.
    ///   Everything that the command did has then been reported.
    func finish(_ report: SyncReport, style: Style) throws -> ExitStatus {
        keepUntilExit(report)
        if !report.hasDoneNothing { warn(shownWarnings(report, style)) }
        if report.stop is CancellationError { throw Failure(interrupted: report) }
        if let stop = report.stop { throw stop }
        if let failure = Failure(leaving: report.held.compactMap(\.cause)) { throw failure }
        if let error = report.unreadable.first { throw error }
        return report.needsUser ? .needsUser : .done
    }

    /// Returns the lines that report what needs the user's attention.
    ///
    /// With `--quiet`, they leave out held todos that need no decision on this branch.
    func shownWarnings(_ report: SyncReport, _ style: Style) -> [String] {
        var shown = report
        if isQuiet { shown.held.removeAll(where: \.isElsewhere) }
        return warnings(shown, style)
    }
}
