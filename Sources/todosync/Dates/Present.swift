internal import TodoModel
internal import Values

/// The present in the user's time zone, the reference for reading and showing dates and times.
struct Present: Sendable {
    let zone: LocalZone
    /// Seconds since 1970-01-01T00:00:00Z.
    let now: Int
    /// The day on the user's calendar.
    let today: CivilDay

    init(_ dates: DateReader) { (zone, now, today) = (dates.zone, dates.now, dates.today) }

    /// Returns how near a due date is; an instant is overdue as soon as it has passed.
    func nearness(of due: Due) -> DueNearness {
        let days = zone.day(of: due).daysSinceEpoch - today.daysSinceEpoch
        if case .instant(let instant) = due, instant.seconds < now { return .overdue(max(0, -days)) }
        return switch days {
        case ..<0: .overdue(-days)
        case 0: .today
        case 1...DueNearness.mostDaysSoon: .soon(days)
        default: .later
        }
    }

    /// Returns whether a start date has come.
    func hasCome(_ start: Due) -> Bool {
        switch start {
        case .day(let day): day.daysSinceEpoch <= today.daysSinceEpoch
        case .instant(let instant): instant.seconds <= now
        }
    }

    /// Returns whether a todo is open and overdue.
    func isOverdue(_ entry: ListEntry) -> Bool { entry.nearness(self)?.isOverdue ?? false }
}

extension ListEntry {
    /// Returns how near the due date of an open todo is; nil if the todo is done or has no date.
    func nearness(_ present: Present) -> DueNearness? {
        isComplete ? nil : due.map(present.nearness)
    }

    /// Returns whether an open todo starts later.
    func isWaiting(_ present: Present) -> Bool { !isComplete && !(start.map(present.hasCome) ?? true) }
}

// MARK: Words

extension Present {
    /// Returns a due date in a few words that show whether it is overdue, today or soon.
    func words(_ due: Due) -> String {
        let clock = clockTime(of: due).map { " " + $0 } ?? ""
        return switch nearness(of: due) {
        case .overdue(0): "overdue" + clock
        case .overdue(let days): "overdue \(days)d"
        case .today: "today" + clock
        case .soon(1): "tomorrow" + clock
        case .soon(let days): "in \(days) days"
        case .later: zone.day(of: due).text
        }
    }

    /// Returns a due date with its time and nearness: `2026-12-01 17:00, in 3 days`.
    func longWords(_ due: Due) -> String {
        let date = [zone.day(of: due).text, clockTime(of: due)].compactMap(\.self).joined(separator: " ")
        return switch nearness(of: due) {
        case .overdue(0): date + ", overdue"
        case .overdue(let days): date + ", overdue \(days)d"
        case .today: date + ", today"
        case .soon(1): date + ", tomorrow"
        case .soon(let days): date + ", in \(days) days"
        case .later: date
        }
    }

    /// Returns an RFC 3339 time in the user's time zone, with its day or `today`; other texts unchanged.
    func localTime(_ text: String) -> String {
        guard let instant = Instant(text) else { return text }
        let wall = zone.wallTime(at: instant.seconds)
        return (wall.day == today ? "today" : wall.day.text) + " " + clock(wall.second)
    }

    private func clockTime(of due: Due) -> String? {
        guard case .instant(let instant) = due else { return nil }
        return clock(zone.wallTime(at: instant.seconds).second)
    }

    private func clock(_ second: Int) -> String {
        twoDigits(second / 3600) + ":" + twoDigits(second / 60 % 60)
    }
}

/// How near a due date is, on the user's calendar.
enum DueNearness: Sendable, Hashable {
    /// The number of days since the date; 0 for an earlier time today.
    case overdue(Int)
    case today
    /// The number of days until the date, up to ``mostDaysSoon``.
    case soon(Int)
    case later

    static let mostDaysSoon = 7

    /// The word for programs; nil if the date is neither overdue nor soon.
    var word: String? {
        switch self {
        case .overdue: "overdue"
        case .today: "today"
        case .soon: "soon"
        case .later: nil
        }
    }

    var isOverdue: Bool { if case .overdue = self { true } else { false } }
}
