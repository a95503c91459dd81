/// A time in UTC by the proleptic Gregorian calendar, for people to read.
package struct CivilTime: Sendable {
    private let day: CivilDay
    private let weekday: Int
    private let millisecondOfDay: Int

    /// Creates a time from milliseconds since 1970-01-01T00:00:00Z.
    package init(milliseconds: Int64) {
        let (days, rest) = Int(milliseconds).dividedFloored(by: 86_400_000)
        day = CivilDay(daysSinceEpoch: days)
        weekday = (days + 4).dividedFloored(by: 7).remainder
        millisecondOfDay = rest
    }

    /// As in RFC 3339, with milliseconds: `2026-11-21T07:00:00.000Z`.
    package var internetTime: String {
        "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))T\(clock)."
            + padded(millisecondOfDay % 1000, 3) + "Z"
    }

    /// As a `Date` field has it: `Sat, 21 Nov 2026 07:00:00 GMT` (RFC 9110, section 5.6.7).
    package var httpDate: String {
        let date = "\(padded(day.day, 2)) \(Self.months[day.month - 1]) \(padded(day.year, 4))"
        return "\(Self.weekdays[weekday]), \(date) \(clock) GMT"
    }

    private var clock: String {
        let seconds = millisecondOfDay / 1000
        return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    /// The months' names as HTTP has them.
    package static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
