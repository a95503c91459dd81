internal import WorkingCopy

/// Returns for people what was left out of the operation log.
func render(_ report: CompactionReport?) -> String {
    guard let report else { return "nothing to forget\n" }
    var text = ""
    if report.dropped > 0 {
        text += "forgot \(counted(report.dropped, "operation")), kept \(report.kept)\n"
    }
    if report.forgottenResolutions > 0 {
        text += "forgot \(counted(report.forgottenResolutions, "remembered resolution"))\n"
    }
    return text
}
