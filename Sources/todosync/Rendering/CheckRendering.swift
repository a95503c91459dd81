internal import Remotes
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// Returns for people what a check repaired.
func render(_ report: CheckReport) -> String {
    if report.isHealthy { return "all is well\n" }
    return report.mended.map { "repaired: \($0.words)\n" }.joined()
}

/// Returns for people what a repair saved of a store.
func render(_ repair: StoreRepair) -> String {
    """
    saved \(counted(repair.recordCount, "todo")) in \(counted(repair.tableCount, "table")), \
    and \(counted(repair.keyCount, "key"))
    kept the damaged database as \(visible(repair.keptPath))
    what could not be read is missing; it comes back from the working directories that have it: the next push, pull or \
    sync in each ends with 78, as the store "was put back to an older state"; then run "todosync remote set-url origin \
    URL" and "todosync sync" there

    """
}

/// Returns the lines that tell what a check found and did not repair, and what to do about it.
func warnings(_ report: CheckReport) -> [String] {
    var lines = report.problems.map { "found: \($0.words)" }
    if report.problems.contains(where: \.isConfiguration) {
        lines.append("hint: edit .todosync/config.yaml; without the file there is no remote")
    } else if let url = report.problems.lazy.compactMap(\.lostRemote).first {
        lines.append("hint: " + Advice.lostConfiguration(url))
    } else if report.problems.allSatisfy(\.isMisplacedRecord), !report.problems.isEmpty {
        lines.append("hint: nothing has to be done; todosync status and todosync diff show what is pending")
    } else if report.problems == [.noJournalLength] {
        lines.append("hint: the next todosync pull or todosync sync writes it anew")
    } else if !report.problems.isEmpty {
        lines.append("hint: run todosync fsck --repair to repair it; it keeps a copy of what it cuts off")
    }
    return lines
}

extension StateProblem {
    fileprivate var isConfiguration: Bool { if case .configuration = self { true } else { false } }

    fileprivate var lostRemote: String? { if case .lostConfiguration(let url) = self { url } else { nil } }

    fileprivate var isMisplacedRecord: Bool { if case .misplacedRecord = self { true } else { false } }

    fileprivate var words: String {
        switch self {
        case .noJournal:
            return ".todosync/journal is missing or empty; the next pull links todos by their ids"
        case .wrongJournal:
            return ".todosync/journal is not a regular file; the next pull links todos by their ids"
        case .damagedJournal(let line, let isTorn):
            return isTorn
                ? ".todosync/journal: line \(line) was being written when a command was interrupted"
                : ".todosync/journal: from line \(line) on it is damaged or missing; the next pull links todos by ids"
        case .strayLines(let line):
            return ".todosync/journal: from line \(line) on there is something that no command wrote"
        case .misplacedRecord(let line, let kind):
            return ".todosync/journal: line \(line) (\(kind)) can't follow what stands before it"
        case .interrupted(let command): return "an interrupted command: \(visible(command))"
        case .invalidText(let id, let version, let reason):
            return "\(visible(id.string)): its \(version) version is not a valid todo: \(visible(reason))"
        case .badPlace(let id, let path):
            return "\(visible(id.string)): it is remembered at \(visible(path)), where no todo can be"
        case .unexplained(_, let path):
            return "\(visible(path)): the file is not what the remote has with what is pending"
        case .leftovers(let count):
            return "\(counted(count, "file")) in .todosync/tmp, left by an interrupted command"
        case .noJournalLength:
            return ".todosync/journal.length is missing; the next pull compares what the remote has new by id"
        case .wrongJournalLength: return ".todosync/journal.length has the wrong length of the journal"
        case .wrongResolutions: return ".todosync/resolutions is damaged; what it remembered is not used"
        case .wrongCache: return ".todosync/cache does not agree with the journal and the files"
        case .configuration(let problem):
            return ".todosync/config.yaml:\(problem.line):\(problem.column): \(visible(problem.reason))"
        case .lostConfiguration: return Advice.configurationIsLost
        }
    }
}
