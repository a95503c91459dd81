/// A time in UTC by the proleptic Gregorian calendar, for people to read.
public struct CivilTime: Sendable {
    private let year: Int64
    private let month: Int
    private let day: Int64
    private let weekday: Int
    private let millisecondOfDay: Int64

    /// Creates a time from milliseconds since 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) {
        let dayLength: Int64 = 86_400_000
        let days = milliseconds / dayLength - (milliseconds % dayLength < 0 ? 1 : 0)
        millisecondOfDay = milliseconds.remainder(by: dayLength)
        weekday = Int((days + 4).remainder(by: 7))
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin with March, so that the
        // leap day is a year's last.
        let shifted = days + 719_468
        let era = (shifted - shifted.remainder(by: 146_097)) / 146_097
        let dayOfEra = shifted.remainder(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// As in RFC 3339, with milliseconds: `2026-11-21T07:00:00.000Z`.
    public var internetTime: String {
        "\(padded(year, 4))-\(padded(Int64(month), 2))-\(padded(day, 2))T\(clock)."
            + padded(millisecondOfDay % 1000, 3) + "Z"
    }

    /// As a `Date` field has it: `Sat, 21 Nov 2026 07:00:00 GMT` (RFC 9110, section 5.6.7).
    public var httpDate: String {
        "\(Self.weekdays[weekday]), \(padded(day, 2)) \(Self.months[month - 1]) \(padded(year, 4)) \(clock) GMT"
    }

    private var clock: String {
        let seconds = millisecondOfDay / 1000
        return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension Int64 {
    /// The remainder that is never negative.
    fileprivate func remainder(by divisor: Int64) -> Int64 {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}

private func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
