/// A day of the proleptic Gregorian calendar.
package struct CivilDay: Sendable, Hashable {
    package let year: Int
    /// The month, from 1 to 12.
    package let month: Int
    /// The day of the month, from 1 to 31.
    package let day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Parses a day such as `2026-12-01`; nil for other text.
    package init?(_ text: String) {
        var reader = DigitReader(text)
        guard let day = reader.day(), reader.isAtEnd else { return nil }
        self = day
    }

    /// Creates a day from the number of days since 1970-01-01.
    ///
    /// The algorithm is from Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". Its years begin
    /// in March, so that the leap day is the last day of a year.
    package init(daysSinceEpoch days: Int) {
        let (era, dayOfEra) = (days + 719_468).dividedFloored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days since 1970-01-01.
    package var daysSinceEpoch: Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedFloored(by: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day in the form `2026-12-01`.
    package var text: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

    /// Returns the number of days in a month.
    package static func count(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CivilDay {
    /// Returns the day a number of days later, or earlier if the number is negative.
    package func adding(days: Int) -> CivilDay { CivilDay(daysSinceEpoch: daysSinceEpoch + days) }

    /// Returns the same day a number of months later, or earlier if the number is negative.
    ///
    /// If the month doesn't have that day, the result is its last day.
    package func adding(months: Int) -> CivilDay {
        let (years, months) = (month - 1 + months).dividedFloored(by: 12)
        let (year, month) = (year + years, months + 1)
        return CivilDay(year: year, month: month, day: min(day, Self.count(inMonth: month, of: year)))
    }
}

extension FixedWidthInteger {
    /// Divides by a positive number, and rounds the quotient down so that the remainder isn't negative.
    package func dividedFloored(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
