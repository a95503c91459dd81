/// A day of the proleptic Gregorian calendar.
package struct CivilDay: Sendable, Hashable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the day that comes so many days after 1970-01-01.
    ///
    /// As in Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin with March, so that
    /// the leap day is a year's last.
    package init(daysSinceEpoch days: Int) {
        let (era, dayOfEra) = (days + 719_468).dividedFloored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The days since 1970-01-01.
    package var daysSinceEpoch: Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedFloored(by: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension FixedWidthInteger {
    /// Divides by a positive number so that the remainder is not negative.
    package func dividedFloored(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
