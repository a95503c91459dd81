internal import WorkingCopy

/// Returns for people what was left out of the operation log.
func render(_ report: CompactionReport?) -> String {
    guard let report else { return "nothing to forget\n" }
    return "forgot \(counted(report.dropped, "operation")), kept \(report.kept)\n"
}
