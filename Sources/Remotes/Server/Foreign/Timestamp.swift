internal import TodoModel

/// A time of writing as a server sends it, such as `2015-12-13T04:28:12.816Z`.
struct Timestamp: Sendable, Hashable {
    /// The server's own words, with all the digits it has.
    let text: String
    /// Since 1970-01-01T00:00:00Z, rounded down.
    let milliseconds: Int

    init?(_ text: String) {
        guard let milliseconds = Self.milliseconds(text) else { return nil }
        self.text = text
        self.milliseconds = milliseconds
    }

    /// Creates a whole number of milliseconds.
    init(milliseconds: Int) {
        self.milliseconds = milliseconds
        text = CivilTime(milliseconds: Int64(milliseconds)).internetTime
    }

    /// The second it lies in, since 1970-01-01T00:00:00Z.
    var second: Int { milliseconds.dividedFloored(by: 1000).quotient }

    /// Reads `YYYY-MM-DDTHH:MM:SS[.digits](Z|±HH:MM)`.
    private static func milliseconds(_ text: String) -> Int? {
        var rest = Array(text.utf8)[...]
        guard rest.count <= 40 else { return nil }
        func number(_ width: Int, _ range: ClosedRange<Int>) -> Int? {
            let digits = rest.prefix(width)
            guard digits.count == width, digits.allSatisfy(\.isDecimalDigit) else { return nil }
            rest = rest.dropFirst(width)
            let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return range.contains(number) ? number : nil
        }
        func skip(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = number(4, 1...9998), skip(UInt8(ascii: "-")), let month = number(2, 1...12),
            skip(UInt8(ascii: "-")), let day = number(2, 1...31), skip(UInt8(ascii: "T")),
            let hour = number(2, 0...23), skip(UInt8(ascii: ":")), let minute = number(2, 0...59),
            skip(UInt8(ascii: ":")), let second = number(2, 0...60)
        else { return nil }
        var fraction = 0
        if skip(UInt8(ascii: ".")) {
            let digits = rest.prefix { $0.isDecimalDigit }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            for place in 0..<3 {
                let digit = place < digits.count ? digits[digits.startIndex + place] : UInt8(ascii: "0")
                fraction = fraction * 10 + Int(digit - UInt8(ascii: "0"))
            }
        }
        var offset = 0
        if !skip(UInt8(ascii: "Z")) {
            let isWest = rest.first == UInt8(ascii: "-")
            guard isWest || rest.first == UInt8(ascii: "+") else { return nil }
            rest = rest.dropFirst()
            guard let hours = number(2, 0...23), skip(UInt8(ascii: ":")), let minutes = number(2, 0...59)
            else { return nil }
            offset = (hours * 60 + minutes) * (isWest ? -60 : 60)
        }
        guard rest.isEmpty else { return nil }
        let days = CivilDay(year: year, month: month, day: day).daysSinceEpoch
        return (days * 86_400 + hour * 3600 + minute * 60 + second - offset) * 1000 + fraction
    }
}
