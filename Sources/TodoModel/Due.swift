package import Values

/// The due date of a todo: a day or an instant.
package enum Due: Sendable, Hashable {
    /// A calendar day, in any time zone.
    case day(CivilDay)
    case instant(Instant)

    /// Parses a day, such as `2026-12-01`, or an RFC 3339 time; nil for other text.
    package init?(_ text: String) {
        if let day = CivilDay(text) {
            self = .day(day)
        } else if let instant = Instant(text) {
            self = .instant(instant)
        } else {
            return nil
        }
    }

    /// The number of days from 1970-01-01 to the day; for an instant, to its day in UTC.
    package var daysSinceEpoch: Int { day.daysSinceEpoch }

    private var day: CivilDay {
        switch self {
        case .day(let day): day
        case .instant(let instant): instant.day
        }
    }
}

extension Due: Comparable {
    /// A day sorts before the instants of the same day.
    package static func < (left: Due, right: Due) -> Bool {
        switch (left, right) {
        case (.instant(let left), .instant(let right)): left < right
        case (.day, .day), (.instant, .day): left.daysSinceEpoch < right.daysSinceEpoch
        case (.day, .instant): left.daysSinceEpoch <= right.daysSinceEpoch
        }
    }
}
