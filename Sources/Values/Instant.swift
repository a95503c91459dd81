/// A point in time, with all the digits that it was written with.
package struct Instant: Sendable, Hashable {
    /// The milliseconds since 1970-01-01T00:00:00Z, rounded down, without leap seconds.
    package let milliseconds: Int64
    /// The digits of the fraction of a second after the milliseconds, without trailing zeros.
    package let finerDigits: String

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
        finerDigits = ""
    }

    /// Creates the instant when a day begins in UTC.
    package init(_ day: CivilDay) {
        self.init(milliseconds: Int64(day.daysSinceEpoch) * 86_400_000)
    }

    /// Parses an RFC 3339 time, such as `2026-12-01T09:30:00.25+01:00`; nil for other text.
    package init?(_ text: String) {
        var reader = DigitReader(text)
        guard let day = reader.day(), reader.take("T") || reader.take("t") || reader.take(" "),
            let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
            let second = reader.number(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction: [UInt8] = []
        if reader.take(".") {
            fraction = reader.digits()
            if fraction.isEmpty { return nil }
            while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        }
        var offset = 0
        if !(reader.take("Z") || reader.take("z")) {
            let sign = reader.take("-") ? -1 : 1
            guard sign == -1 || reader.take("+"), let hours = reader.number(2), reader.take(":"),
                let minutes = reader.number(2), hours < 24, minutes < 60
            else { return nil }
            offset = sign * (hours * 60 + minutes) * 60
        }
        guard reader.isAtEnd else { return nil }
        let seconds = day.daysSinceEpoch * 86_400 + hour * 3_600 + minute * 60 + second - offset
        let thousandths = (fraction + Array("000".utf8)).prefix(3)
            .reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        milliseconds = Int64(seconds) * 1000 + thousandths
        finerDigits = String(decoding: fraction.dropFirst(3), as: UTF8.self)
    }

    /// The seconds since 1970-01-01T00:00:00Z, rounded down.
    package var seconds: Int { Int(milliseconds.dividedFloored(by: 1000).quotient) }

    /// The day in UTC.
    package var day: CivilDay {
        CivilDay(daysSinceEpoch: Int(milliseconds.dividedFloored(by: 86_400_000).quotient))
    }

    /// The number of whole seconds since the day began in UTC.
    package var secondOfDay: Int { Int(milliseconds.dividedFloored(by: 86_400_000).remainder / 1000) }
}

extension Instant: Comparable {
    package static func < (left: Instant, right: Instant) -> Bool {
        (left.milliseconds, left.finerDigits) < (right.milliseconds, right.finerDigits)
    }
}

// MARK: - As text

extension Instant {
    /// The time in RFC 3339 format, in UTC and with milliseconds: `2026-11-21T07:00:00.000Z`.
    package var internetTime: String {
        let day = day
        return "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))T\(clock)."
            + padded(Int(milliseconds.dividedFloored(by: 1000).remainder), 3) + "Z"
    }

    /// The time in the format of HTTP's `Date` header: `Sat, 21 Nov 2026 07:00:00 GMT` (RFC 9110, section
    /// 5.6.7).
    package var httpDate: String {
        let day = day
        let weekday = Self.weekdays[(day.daysSinceEpoch + 4).dividedFloored(by: 7).remainder]
        return "\(weekday), \(padded(day.day, 2)) \(Self.months[day.month - 1]) \(padded(day.year, 4))"
            + " \(clock) GMT"
    }

    private var clock: String {
        let second = secondOfDay
        return "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    /// The abbreviated names of the months, as in HTTP dates.
    package static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Reads digits and separators from the beginning of a text.
struct DigitReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func digits() -> [UInt8] {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        return Array(digits)
    }

    /// Reads exactly `count` digits; nil if there are fewer.
    mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Reads a day such as `2026-12-01`; nil for anything else.
    mutating func day() -> CivilDay? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
            (1...12).contains(month), day >= 1, day <= CivilDay.count(inMonth: month, of: year)
        else { return nil }
        return CivilDay(year: year, month: month, day: day)
    }
}
