internal import LosslessYAML
internal import TodoModel
internal import Values

/// The value of an expression in a filter for one record.
enum FilterValue {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A binary float, which is never NaN.
    case real(Double)
    case string(String)
    case instant(Instant)
    case version(RecordVersion)
    /// A list or a mapping, which never equals another value.
    case collection

    init(_ literal: FilterExpression.Literal) {
        self =
            switch literal {
            case .null: .null
            case .bool(let bool): .bool(bool)
            case .number(let number): FilterValue(number)
            case .string(let string), .guid(let string): .string(string)
            case .instant(let instant): .instant(instant)
            }
    }

    init(_ value: Value) {
        self =
            switch value {
            case .null: .null
            case .bool(let bool): .bool(bool)
            case .number(let number): FilterValue(number)
            case .string(let string): .string(string)
            case .list, .mapping: .collection
            }
    }

    private init(_ number: Number) {
        self = Int64(number.json).map(FilterValue.integer) ?? FilterValue(Double(number.json))
    }

    /// Creates a number; null for nil and NaN.
    private init(_ double: Double?) {
        self = if let double, !double.isNaN { .real(double) } else { .null }
    }

    var isNull: Bool { if case .null = self { true } else { false } }

    /// The value as a string; nil for other types.
    var text: String? {
        switch self {
        case .string(let string): string
        case .version(let version): version.version.string
        case .null, .bool, .integer, .real, .instant, .collection: nil
        }
    }

    /// The value as a number of characters, at least 0; nil for other types.
    var count: Int? {
        switch self {
        case .integer(let integer): Int(max(integer, 0))
        case .real(let real): Int(min(max(real, 0), 1e9))
        case .null, .bool, .string, .instant, .version, .collection: nil
        }
    }

    /// The value as an instant.
    ///
    /// A string can be a time, or a date, which means the start of that day in UTC.
    private var instant: Instant? {
        switch self {
        case .instant(let instant): return instant
        case .string(let string):
            return Instant(string) ?? CivilDay(string).map(Instant.init)
        case .null, .bool, .integer, .real, .version, .collection: return nil
        }
    }

    private var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        case .null, .bool, .string, .instant, .version, .collection: nil
        }
    }
}

// MARK: - Comparing

extension FilterValue {
    /// Returns a negative number if this value comes before `other`, a positive number if it comes after, and
    /// zero if they are equal; nil for values of different types.
    func order(_ other: FilterValue) -> Int? {
        switch (self, other) {
        case (.bool(let left), .bool(let right)): Self.order(left ? 1 : 0, right ? 1 : 0)
        case (.integer(let left), .integer(let right)): Self.order(left, right)
        case (.integer(let left), .real(let right)): Self.order(left, right)
        case (.real(let left), .integer(let right)): -Self.order(right, left)
        case (.real(let left), .real(let right)): Self.order(left, right)
        case (.string(let left), .string(let right)): CaseInsensitiveOrder.compare(left, right)
        case (.version(let left), .version(let right)): Self.order(left.bits, right.bits)
        case (.version(let left), .string(let right)):
            RecordVersion(Version(right)).map { Self.order(left.bits, $0.bits) }
        case (.string, .version): other.order(self).map(-)
        case (.instant, _), (_, .instant):
            if let left = instant, let right = other.instant {
                Self.order(left, right)
            } else {
                nil
            }
        default: nil
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left > right ? 1 : 0
    }

    /// Compares an integer with a float exactly, because not every 64-bit integer has an exact binary float.
    private static func order(_ left: Int64, _ right: Double) -> Int {
        if right >= 0x1p63 { return -1 }
        if right < -0x1p63 { return 1 }
        let whole = right.rounded(.towardZero)
        return left == Int64(whole) ? order(whole, right) : order(left, Int64(whole))
    }
}

// MARK: - Calculating

extension FilterValue {
    /// Calculates with 64-bit integers if possible, otherwise with binary floats; NaN becomes null.
    static func calculate(
        _ arithmetic: FilterExpression.Arithmetic, _ left: FilterValue, _ right: FilterValue
    ) -> FilterValue {
        if case .integer(let left) = left, case .integer(let right) = right {
            if right == 0, arithmetic == .divide || arithmetic == .remainder { return .null }
            let (integer, overflow) =
                switch arithmetic {
                case .add: left.addingReportingOverflow(right)
                case .subtract: left.subtractingReportingOverflow(right)
                case .multiply: left.multipliedReportingOverflow(by: right)
                case .divide: left.dividedReportingOverflow(by: right)
                // Every integer is divisible by -1, including the one whose quotient overflows.
                case .remainder: (right == -1 ? 0 : left % right, false)
                }
            if !overflow { return .integer(integer) }
        }
        guard let left = left.double, let right = right.double else { return .null }
        return switch arithmetic {
        case .add: FilterValue(left + right)
        case .subtract: FilterValue(left - right)
        case .multiply: FilterValue(left * right)
        case .divide: right == 0 ? .null : FilterValue(left / right)
        case .remainder: FilterValue(left.truncatingRemainder(dividingBy: right))
        }
    }

    func rounded(_ rule: FloatingPointRoundingRule) -> FilterValue {
        switch self {
        case .integer: self
        case .real(let real): .real(real.rounded(rule))
        case .null, .bool, .string, .instant, .version, .collection: .null
        }
    }

    /// Returns the part of an instant, in UTC, that a function such as `year` extracts.
    func calendarPart(_ function: FilterExpression.Function) -> FilterValue {
        guard let instant else { return .null }
        let (day, second) = (instant.day, instant.secondOfDay)
        return switch function {
        case .year: .integer(Int64(day.year))
        case .month: .integer(Int64(day.month))
        case .day: .integer(Int64(day.day))
        case .hour: .integer(Int64(second / 3_600))
        case .minute: .integer(Int64(second / 60 % 60))
        case .second: .integer(Int64(second % 60))
        default: .null
        }
    }
}

// MARK: - The order of strings

/// The order of strings in filters and lists: by letters regardless of case and accents, then by accents.
enum CaseInsensitiveOrder {
    /// Returns a negative number if `left` comes before `right`, a positive number if it comes after, and
    /// zero if they are equal.
    static func compare(_ left: String, _ right: String) -> Int {
        var (left, right) = (left, right)
        return left.withUTF8 { left in right.withUTF8 { right in compare(left, right) } }
    }

    private static func compare(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Int {
        for index in 0..<min(left.count, right.count) {
            let (first, second) = (left[index], right[index])
            // Converting a letter beyond ASCII to lowercase can change its length.
            guard first < 0x80, second < 0x80 else { return compareLetters(left[index...], right[index...]) }
            let difference = Int(first.lowercasedASCII) - Int(second.lowercasedASCII)
            if difference != 0 { return difference }
        }
        return left.count - right.count
    }

    private static func compareLetters(
        _ left: Slice<UnsafeBufferPointer<UInt8>>, _ right: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Int {
        let left = String(decoding: left, as: UTF8.self).lowercased().unicodeScalars
        let right = String(decoding: right, as: UTF8.self).lowercased().unicodeScalars
        let letters = compare(left.compactMap(withoutAccent), right.compactMap(withoutAccent))
        return letters != 0 ? letters : compare(left, right)
    }

    private static func compare(
        _ left: some Sequence<Unicode.Scalar>, _ right: some Sequence<Unicode.Scalar>
    ) -> Int {
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    /// Returns a letter without its accent; nil for a combining accent.
    private static func withoutAccent(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar.isASCII { return scalar }
        return accents.contains(scalar.value) ? nil : plainLetters[scalar] ?? scalar
    }

    private static let accents: ClosedRange<UInt32> = 0x300...0x36F

    /// Maps each letter with an accent to the letter without it.
    ///
    /// A letter's Unicode name contains both parts: LATIN SMALL LETTER E WITH ACUTE.
    private static let plainLetters: [Unicode.Scalar: Unicode.Scalar] = {
        // ASCII; Latin-1 and its extensions; Greek; additional Latin and Greek letters.
        let blocks: [ClosedRange<UInt32>] = [0x61...0x7A, 0xC0...0x24F, 0x370...0x3FF, 0x1E00...0x1FFF]
        var byName: [String: Unicode.Scalar] = [:]
        for scalar in blocks.joined().compactMap(Unicode.Scalar.init) {
            if let name = scalar.properties.name { byName[name] = scalar }
        }
        var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (name, scalar) in byName {
            guard let accent = name.firstRange(of: " WITH ") else { continue }
            letters[scalar] = byName[String(name[..<accent.lowerBound])]
        }
        return letters
    }()
}

extension UInt8 {
    fileprivate var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
