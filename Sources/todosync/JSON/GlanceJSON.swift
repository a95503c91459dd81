internal import LosslessYAML
internal import SyncEngine
internal import Values

/// Returns what `prompt --json` prints.
func json(_ glance: Glance) -> Value {
    .mapping([
        "pending": .integer(glance.pending), "more": .bool(glance.hasMore),
        "conflicts": .integer(glance.conflicts), "waiting": .integer(glance.waiting),
        "lastSync": .optional(glance.lastSync),
    ])
}
