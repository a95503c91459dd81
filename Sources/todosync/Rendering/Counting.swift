internal import SyncEngine

/// Returns a count with its noun: `1 todo`, `2 todos`.
func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count.grouped) \(noun)s"
}

/// Returns names as a sentence lists them: `text`, `text and tags`, `text, tags and notes`.
func enumeration(_ names: [String], _ conjunction: String = "and") -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}
