internal import Remotes
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// Returns what a check repaired, as human-readable text.
func render(_ report: CheckReport) -> String {
    if report.isHealthy { return "all is well\n" }
    return report.repaired.map { "repaired: \($0.words)\n" }.joined()
}

/// Returns what a repair salvaged from a store, as human-readable text.
func render(_ repair: StoreRepair) -> String {
    """
    saved \(counted(repair.recordCount, "todo")) in \(counted(repair.tableCount, "table")), \
    and \(counted(repair.keyCount, "key"))
    kept the damaged database as \(visible(repair.keptPath))
    unreadable records are missing; they come back from the working directories that have them: the next push, pull or \
    sync in each exits with 78 and reports that the store "was restored to an older state"; then run "todosync remote \
    set-url origin URL" and "todosync sync" there

    """
}

/// Returns the lines that report what a check found but didn't repair, with hints.
func warnings(_ report: CheckReport) -> [String] {
    var lines = report.problems.map { "found: \($0.words)" }
    if report.problems.contains(where: \.isConfiguration) {
        lines.append("hint: fix .todosync/config.yaml; don't delete it, because it contains the remote")
    } else if let url = report.problems.lazy.compactMap(\.lostRemote).first {
        lines.append("hint: " + Advice.lostConfiguration(url))
    } else if report.problems.allSatisfy(\.isUnexpectedRecord), !report.problems.isEmpty {
        lines.append(
            "hint: no action is needed; run \"todosync status\" or \"todosync diff\" to see what is pending")
    } else if report.problems == [.noJournalLength] {
        lines.append("hint: run \"todosync pull\" or \"todosync sync\" to write it again")
    } else if !report.problems.isEmpty {
        lines.append("hint: run \"todosync fsck --repair\"; it keeps a copy of what it removes")
    }
    return lines
}

extension StateProblem {
    fileprivate var isConfiguration: Bool { if case .configuration = self { true } else { false } }

    fileprivate var lostRemote: String? { if case .lostConfiguration(let url) = self { url } else { nil } }

    fileprivate var isUnexpectedRecord: Bool { if case .unexpectedRecord = self { true } else { false } }

    /// What is damaged, as a line.
    var words: String {
        switch self {
        case .noJournal:
            return ".todosync/journal is missing or empty; the next pull links todos by id"
        case .wrongJournal:
            return ".todosync/journal is not a regular file; the next pull links todos by id"
        case .damagedJournal(let line, let isTorn):
            return isTorn
                ? ".todosync/journal: line \(line) was being written when a command was interrupted"
                : ".todosync/journal: damaged or missing from line \(line); the next pull links todos by id"
        case .strayLines(let line):
            return ".todosync/journal: no command wrote the text from line \(line) on"
        case .unexpectedRecord(let line, let kind):
            return ".todosync/journal: line \(line) (\(kind)) does not fit the lines before it"
        case .interrupted(let command): return "an interrupted command: \(visible(command))"
        case .invalidText(let id, let version, let reason):
            return "\(visible(id.string)): its \(version) version is not a valid todo: \(visible(reason))"
        case .invalidPath(let id, let path):
            return "\(visible(id.string)): it is recorded at \(visible(path)), which can't be a todo's path"
        case .unexplained(_, let path):
            return "\(visible(path)): the file differs from its base version without a pending change"
        case .leftovers(let count):
            return "\(counted(count, "file")) in .todosync/tmp, left by an interrupted command"
        case .noJournalLength:
            return ".todosync/journal.length is missing; the next pull compares the remote's changes by id"
        case .wrongJournalLength: return ".todosync/journal.length does not match the length of the journal"
        case .wrongResolutions: return ".todosync/resolutions is damaged; its resolutions are not used"
        case .wrongCache: return ".todosync/cache does not match the journal and the files"
        case .configuration(let problem):
            return ".todosync/config.yaml:\(problem.line):\(problem.column): \(visible(problem.reason))"
        case .lostConfiguration: return EngineError.configurationIsLost
        }
    }
}

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
