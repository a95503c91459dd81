internal import TodoModel

/// An instant as a text whose bytes sort as the instants do, however fine these are.
///
/// Twelve digits of seconds, and then those of the second's fraction.
struct InstantText {
    let string: String

    /// Added to the seconds, so that those of all years of four digits are positive and have twelve digits.
    private static let shift = 200_000_000_000
    private static let secondDigits = 12

    init(_ instant: Due.Instant) {
        self.init(seconds: instant.seconds, fraction: instant.fraction)
    }

    /// Creates the text of a time in milliseconds since 1970-01-01T00:00:00Z.
    init(milliseconds: Int64) {
        let (seconds, rest) = milliseconds.dividedFloored(by: 1000)
        let digits = String(1000 + rest).dropFirst()
        let trailingZeros = digits.reversed().prefix { $0 == "0" }.count
        self.init(seconds: Int(seconds), fraction: String(digits.dropLast(trailingZeros)))
    }

    /// Creates the text of an RFC 3339 time, or of a day's beginning in UTC; nil for another string.
    init?(_ string: String) {
        switch Due(string) {
        case .instant(let instant): self.init(instant)
        case .day(let year, let month, let day):
            let due = Due.day(year: year, month: month, day: day)
            self.init(seconds: due.daysSinceEpoch * 86_400, fraction: "")
        case nil: return nil
        }
    }

    private init(seconds: Int, fraction: String) {
        let digits = String(seconds + Self.shift)
        string = String(repeating: "0", count: max(0, Self.secondDigits - digits.count)) + digits + fraction
    }

    /// Returns a part of an instant's time in UTC, nil for a text that is none of an instant.
    static func part(_ part: CalendarPart, of text: String) -> Int? {
        guard let shifted = Int(text.prefix(secondDigits)), text.utf8.count >= secondDigits else {
            return nil
        }
        let (days, second) = (shifted - shift).dividedFloored(by: 86_400)
        return switch part {
        case .year: CivilDay(daysSinceEpoch: days).year
        case .month: CivilDay(daysSinceEpoch: days).month
        case .day: CivilDay(daysSinceEpoch: days).day
        case .hour: second / 3_600
        case .minute: second / 60 % 60
        case .second: second % 60
        }
    }

    enum CalendarPart: Int, CaseIterable { case year, month, day, hour, minute, second }
}
