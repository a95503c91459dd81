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

/// The day and time that calendars and clocks show in a time zone.
package struct WallTime: Sendable, Hashable {
    package var day: CivilDay
    /// The number of seconds since midnight that the clock shows.
    package var second: Int

    package init(day: CivilDay, second: Int = 0) {
        self.day = day
        self.second = second
    }

    /// The day and the time in the format of RFC 3339, without an offset: `2026-12-01T17:00:00`.
    package var text: String {
        "\(day.text)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    }
}

/// The user's time zone, which converts instants to the times that clocks show, and back.
package struct LocalZone: Sendable {
    /// Returns the number of seconds that the clocks are ahead of UTC at an instant, given in seconds since
    /// 1970-01-01.
    package let offset: @Sendable (Int) -> Int

    package static let utc = LocalZone { _ in 0 }

    package init(offset: @escaping @Sendable (Int) -> Int) { self.offset = offset }

    /// Returns the day and time that the clocks show at an instant.
    package func wallTime(at instant: Int) -> WallTime {
        let (days, second) = (instant + offset(instant)).dividedFloored(by: 86_400)
        return WallTime(day: CivilDay(daysSinceEpoch: days), second: second)
    }

    /// Returns the instant when the clocks show a time.
    ///
    /// If the clocks show the time twice, because they are turned back, this is the first instant. If they
    /// skip the time, the offset before the gap applies (RFC 5545, section 3.3.5).
    package func instant(of time: WallTime) -> Int {
        let shown = time.day.daysSinceEpoch * 86_400 + time.second
        // No offset is longer than a day, so these are the offsets before and after a change near that time.
        let (before, after) = (offset(shown - 86_400), offset(shown + 86_400))
        let candidates = [shown - before, shown - after]
        return candidates.first { $0 + offset($0) == shown } ?? candidates[0]
    }

    /// Returns a wall time as an RFC 3339 time, with the offset that ``instant(of:)`` uses.
    ///
    /// A time that the clocks skip has the offset before the gap.
    package func text(of time: WallTime) -> String {
        let instant = instant(of: time)
        return text(of: instant, offset: time.day.daysSinceEpoch * 86_400 + time.second - instant)
    }

    /// Returns an instant as an RFC 3339 time that clocks in this zone show, with `Z` for UTC.
    package func text(of instant: Int) -> String { text(of: instant, offset: offset(instant)) }

    private func text(of instant: Int, offset: Int) -> String {
        // Offsets in RFC 3339 are whole minutes, but some offsets in the nineteenth century had seconds.
        let offset = offset.dividedFloored(by: 60).quotient * 60
        let (days, second) = (instant + offset).dividedFloored(by: 86_400)
        let distance = "\(padded(abs(offset) / 3600, 2)):\(padded(abs(offset) / 60 % 60, 2))"
        let suffix = offset == 0 ? "Z" : (offset < 0 ? "-" : "+") + distance
        return WallTime(day: CivilDay(daysSinceEpoch: days), second: second).text + suffix
    }
}
