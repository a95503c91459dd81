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
        let (seconds, rest) = milliseconds.flooredQuotientAndRemainder(dividingBy: 1000)
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
        let (days, second) = (shifted - shift).flooredQuotientAndRemainder(dividingBy: 86_400)
        return switch part {
        case .year: civil(days).year
        case .month: civil(days).month
        case .day: civil(days).day
        case .hour: second / 3_600
        case .minute: second / 60 % 60
        case .second: second % 60
        }
    }

    enum CalendarPart: Int, CaseIterable { case year, month, day, hour, minute, second }

    /// Returns a day of the proleptic Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms", `civil_from_days`).
    private static func civil(_ daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (daysSinceEpoch + 719_468).flooredQuotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension FixedWidthInteger {
    /// Divides so that the remainder is not negative; the divisor is positive.
    fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Self) -> (
        quotient: Self, remainder: Self
    ) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
