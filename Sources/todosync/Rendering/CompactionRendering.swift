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
