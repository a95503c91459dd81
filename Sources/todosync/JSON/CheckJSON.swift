internal import LosslessYAML
internal import Remotes
internal import SyncEngine
internal import WorkingCopy

/// Returns what `fsck --json` prints.
func json(_ report: CheckReport) -> Value {
    .mapping([
        "healthy": .bool(report.isHealthy), "found": .strings(report.problems.map(\.words)),
        "repaired": .strings(report.repaired.map(\.words)),
    ])
}

/// Returns what `fsck --store --json` prints.
func storeJSON(found problems: [String], _ repair: StoreRepair? = nil) -> Value {
    var object: Mapping = ["healthy": .bool(problems.isEmpty), "found": .strings(problems)]
    if let repair {
        object["saved"] = .mapping([
            "todos": .integer(repair.recordCount), "tables": .integer(repair.tableCount),
            "keys": .integer(repair.keyCount),
        ])
        object["kept"] = .string(repair.keptPath)
    }
    return .mapping(object)
}

/// Returns what `gc --store --json` prints.
func json(_ report: RetentionReport) -> Value {
    .mapping(["removed": .integer(report.operations), "packed": .integer(report.marks)])
}

/// Returns what `gc --json` prints; the report is nil if there was nothing to remove.
func json(_ report: CompactionReport?) -> Value {
    .mapping([
        "removed": .integer(report?.dropped ?? 0), "forgotten": .integer(report?.forgottenResolutions ?? 0),
    ])
}
