internal import SyncEngine

/// Returns the line for a shell's prompt; empty if there is nothing to report.
func render(_ glance: Glance, now: String) -> String {
    var parts: [String] = []
    if glance.hasMore {
        parts.append("\(glance.pending)+ pending")
    } else if glance.pending > 0 {
        parts.append("\(glance.pending) pending")
    }
    if glance.conflicts > 0 { parts.append(counted(glance.conflicts, "conflict")) }
    if glance.waiting > 0 { parts.append("\(glance.waiting) held") }
    if let age = glance.lastSync.flatMap({ Age(of: $0, now: now) }) {
        parts.append("synced \(age.short)")
    }
    return parts.isEmpty ? "" : parts.joined(separator: ", ") + "\n"
}
