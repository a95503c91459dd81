internal import SyncEngine
internal import Values

/// Returns a count with its noun: `1 todo`, `2 todos`.
func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count.grouped) \(noun)s"
}

/// Returns names as a sentence lists them: `text`, `text and tags`, `text, tags and notes`.
func enumeration(_ names: [String], _ conjunction: String = "and") -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}

/// The time since something happened, as people put it.
struct Age {
    private let seconds: Int

    /// Creates the age of an RFC 3339 time; nil if the time is invalid or more than a minute in the
    /// future.
    init?(of time: String, now: String) {
        guard let time = Instant(time), let now = Instant(now) else { return nil }
        seconds = now.seconds - time.seconds
        // The clocks of two machines that share the folder can differ a little.
        if seconds < -60 { return nil }
    }

    private static let week = 7 * 86_400

    /// Whether more than a week has passed.
    var isOverAWeek: Bool { seconds > Self.week }

    /// The age in words: `just now`, `3 minutes ago`, `2 days ago`.
    var words: String {
        guard let (count, unit) = count else { return "just now" }
        return counted(count, unit) + " ago"
    }

    /// The age in a few characters: `just now`, `3m ago`, `2h ago`, `9d ago`.
    var short: String {
        guard let (count, unit) = count else { return "just now" }
        return "\(count)\(unit.prefix(1)) ago"
    }

    /// The age in the largest unit that has passed twice, or in minutes; nil for less than a minute.
    private var count: (Int, unit: String)? {
        switch seconds {
        case ..<60: nil
        case ..<7_200: (seconds / 60, "minute")
        case ..<172_800: (seconds / 3_600, "hour")
        default: (seconds / 86_400, "day")
        }
    }
}
