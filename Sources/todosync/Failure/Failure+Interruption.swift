internal import SyncEngine

extension Failure {
    /// Creates a failure for a command that a signal interrupted.
    ///
    /// - Parameter rest: What the command did, and what remains to do.
    init(interrupted rest: String, hint: String? = nil) {
        self.init(Interruption.status ?? .interrupted, "interrupted: \(rest)", hint: hint)
    }

    /// Creates a failure for a push, pull, sync or clone that a signal interrupted.
    ///
    /// The command has already printed the report of what it did.
    init(interrupted report: SyncReport) {
        var parts: [String] = []
        if report.hasDoneNothing { parts.append("nothing was pushed or pulled") }
        if report.left.count > 0 {
            let count = counted(report.left.count, "todo")
            parts.append("\(report.left.isAll ? "" : "at least ")\(count) still to be pulled")
        }
        if let pending = report.pending, pending > 0, !report.hasDoneNothing {
            parts.append("\(counted(pending, "change")) still pending")
        }
        if !report.hasDoneNothing { parts.append("nothing is lost") }
        parts.append("run the same command again for the rest")
        self.init(interrupted: parts.joined(separator: "; "))
    }
}
