internal import SyncEngine

extension Failure {
    /// Tells of a command that was asked to end.
    ///
    /// - Parameter rest: What was done, and what is left.
    init(interrupted rest: String, hint: String? = nil) {
        self.init(Interruption.status ?? .interrupted, "interrupted: \(rest)", hint: hint)
    }

    /// Tells of a push, pull, sync or clone that was asked to end; what was done has been told.
    init(interrupted report: SyncReport) {
        var parts: [String] = []
        if report.hasDoneNothing { parts.append("nothing was sent or brought in") }
        if report.left.count > 0 {
            let count = counted(report.left.count, "todo")
            parts.append("\(report.left.isAll ? "" : "at least ")\(count) still to be brought in")
        }
        parts.append("run the same command again for the rest")
        self.init(interrupted: parts.joined(separator: "; "))
    }
}
