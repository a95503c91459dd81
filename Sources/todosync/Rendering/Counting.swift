/// Returns a count with its noun: `1 todo`, `2 todos`.
func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(grouped(count)) \(noun)s"
}

/// Returns a count with thousands separators: `99,980`.
func grouped(_ count: Int) -> String {
    let digits = String(count.magnitude)
    let groups = stride(from: digits.utf8.count % 3, through: digits.utf8.count, by: 3).map { end in
        digits.prefix(end).suffix(3)
    }
    return (count < 0 ? "-" : "") + groups.filter { !$0.isEmpty }.joined(separator: ",")
}

/// Returns names as a sentence lists them: `text`, `text and tags`, `text, tags and notes`.
func enumeration(_ names: [String]) -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
}
