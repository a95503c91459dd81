internal import Remotes
internal import WorkingCopy

/// Returns what a compaction removed from the operation log, as human-readable text.
func render(_ report: CompactionReport?) -> String {
    guard let report else { return "nothing to remove\n" }
    var text = ""
    if report.dropped > 0 {
        text += "removed \(counted(report.dropped, "operation")), kept \(report.kept)\n"
    }
    if report.forgottenResolutions > 0 {
        text += "removed \(counted(report.forgottenResolutions, "resolution"))\n"
    }
    return text
}

/// Returns what was removed from a store, as human-readable text.
func render(_ report: RetentionReport) -> String {
    guard report.operations + report.marks > 0 else { return "nothing to remove\n" }
    return "removed \(counted(report.operations, "operation")), packed \(counted(report.marks, "mark"))\n"
}
