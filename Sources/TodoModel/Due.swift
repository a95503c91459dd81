/// When a todo is due: a day, or an instant.
package enum Due: Sendable, Hashable {
    /// A day of the calendar, wherever one is.
    case day(year: Int, month: Int, day: Int)
    case instant(Instant)

    /// A point in time.
    package struct Instant: Sendable, Hashable {
        /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
        package let seconds: Int
        /// The digits of the second's fraction, without trailing zeros.
        package let fraction: String

        /// - Parameter fraction: digits without trailing zeros.
        package init(seconds: Int, fraction: String) {
            self.seconds = seconds
            self.fraction = fraction
        }

        /// Creates an instant from milliseconds since 1970-01-01T00:00:00Z.
        package init(milliseconds: Int64) {
            let (seconds, rest) = milliseconds.dividedFloored(by: 1000)
            let digits = String(1000 + rest).dropFirst()
            let zeros = digits.reversed().prefix { $0 == "0" }.count
            self.init(seconds: Int(seconds), fraction: String(digits.dropLast(zeros)))
        }

        /// The milliseconds since 1970-01-01T00:00:00Z, rounded down.
        package var milliseconds: Int64 {
            let digits = fraction.utf8.map { Int64($0 - UInt8(ascii: "0")) } + [0, 0, 0]
            return Int64(seconds) * 1000 + digits.prefix(3).reduce(0) { $0 * 10 + $1 }
        }
    }

    /// Creates a day from `2026-12-01` or an instant from an RFC 3339 time, or nil if the string is neither.
    package init?(_ string: String) {
        var reader = DigitReader(Array(string.utf8))
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), (1...12).contains(month),
            day >= 1, day <= Self.days(inMonth: month, of: year)
        else { return nil }
        if reader.isAtEnd {
            self = .day(year: year, month: month, day: day)
            return
        }
        guard reader.take("T") || reader.take("t") || reader.take(" "),
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
        let days = CivilDay(year: year, month: month, day: day).daysSinceEpoch
        self = .instant(
            Instant(
                seconds: days * 86_400 + hour * 3_600 + minute * 60 + second - offset,
                fraction: String(decoding: fraction, as: UTF8.self)))
    }

    /// The day, in UTC for an instant, as days since 1970-01-01.
    package var daysSinceEpoch: Int {
        switch self {
        case .day(let year, let month, let day): CivilDay(year: year, month: month, day: day).daysSinceEpoch
        case .instant(let instant): instant.seconds.dividedFloored(by: 86_400).quotient
        }
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

extension Due: Comparable {
    package static func < (left: Due, right: Due) -> Bool {
        left.sortKey < right.sortKey
    }

    /// Days come before the instants of the same day.
    private var sortKey: (Int, Int, String) {
        switch self {
        case .day: (daysSinceEpoch * 86_400, 0, "")
        case .instant(let instant): (instant.seconds, 1, instant.fraction)
        }
    }
}

/// Takes digits and separators off the front of a text.
private struct DigitReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func digits() -> [UInt8] {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        return Array(digits)
    }

    /// Takes exactly `count` digits; nil if there are fewer.
    mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
