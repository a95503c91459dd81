/// A value of YAML's 1.2 core schema; it is also a JSON value.
///
/// Values are equal if their types and contents are. Strings are compared byte by byte (unlike Swift's `==`,
/// which follows Unicode's canonical equivalence), numbers by value, and mappings regardless of order.
package enum Value: Sendable {
    case null
    case bool(Bool)
    case number(Number)
    case string(String)
    case list([Value])
    case mapping(Mapping)
}

extension Value: Hashable {
    package static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.isSameBytes(as: right)
        case (.list(let left), .list(let right)): left == right
        case (.mapping(let left), .mapping(let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .bool(let bool): hasher.combine(bool)
        case .number(let number): hasher.combine(number)
        case .string(let string): ByteKey(string).hash(into: &hasher)
        case .list(let list): hasher.combine(list)
        case .mapping(let mapping): hasher.combine(mapping)
        }
    }
}

/// A number as it was written.
///
/// Numbers are compared by their mathematical value and never converted to a binary float.
package struct Number: Sendable {
    /// The number in JSON's grammar (RFC 8259, section 6), with its original digits.
    package let json: String

    /// Creates a number from its JSON spelling; nil if the text isn't a JSON number.
    ///
    /// A number whose exponent has more than 15 digits isn't accepted.
    package init?(json: String) {
        guard Parts(json) != nil else { return nil }
        self.json = json
    }

    /// Creates a number from its spelling in YAML's core schema, such as `0x1F` or `01`; nil if the text
    /// isn't a number.
    package init?(yaml: String) {
        var yaml = yaml
        guard case .number(let number)? = yaml.withUTF8({ try? CoreSchema.resolve($0) }) else { return nil }
        self = number
    }

    package init(_ integer: Int) {
        json = String(integer)
    }

    /// The ranges of the digits in a number's spelling.
    private struct Parts {
        var isNegative = false
        var whole = 0..<0
        var fraction = 0..<0
        var power = 0

        init?(_ json: String) {
            var json = json
            let parts: Parts? = json.withUTF8 { Parts($0) }
            guard let parts else { return nil }
            self = parts
        }

        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            var position = 0
            func skipDigits() -> Range<Int> {
                let start = position
                while position < bytes.count, bytes[position].isDigit { position += 1 }
                return start..<position
            }
            func skip(_ byte: UInt8) -> Bool {
                guard position < bytes.count, bytes[position] == byte else { return false }
                position += 1
                return true
            }
            isNegative = skip(.hyphen)
            whole = skipDigits()
            guard !whole.isEmpty, whole.count == 1 || bytes[whole.lowerBound] != UInt8(ascii: "0") else {
                return nil
            }
            if skip(UInt8(ascii: ".")) {
                fraction = skipDigits()
                guard !fraction.isEmpty else { return nil }
            }
            if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
                let isNegativePower = skip(.hyphen)
                if !isNegativePower { _ = skip(UInt8(ascii: "+")) }
                let written = skipDigits()
                let digits = bytes[written].drop { $0 == UInt8(ascii: "0") }
                guard !written.isEmpty, digits.count <= 15 else { return nil }
                for digit in digits { power = power * 10 + Int(digit - UInt8(ascii: "0")) }
                if isNegativePower { power = -power }
            }
            guard position == bytes.count else { return nil }
        }
    }

    /// The normal form of a number, for comparing and hashing it.
    ///
    /// The normal form has the sign, the digits without leading and trailing zeros, and the power of ten of
    /// the last digit.
    fileprivate struct Normal: Hashable {
        var isNegative = false
        var digits: ArraySlice<UInt8> = []
        var exponent = 0
    }

    fileprivate var normal: Normal {
        guard let parts = Parts(json) else { preconditionFailure("a number was checked when it was made") }
        let bytes = Array(json.utf8)
        var digits = bytes[parts.whole][...] + bytes[parts.fraction]
        var exponent = parts.power - parts.fraction.count
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        digits = digits.drop { $0 == UInt8(ascii: "0") }
        guard !digits.isEmpty else { return Normal() }
        return Normal(isNegative: parts.isNegative, digits: digits, exponent: exponent)
    }
}

extension Number: Hashable {
    package static func == (left: Number, right: Number) -> Bool {
        left.json.isSameBytes(as: right.json) || left.normal == right.normal
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(normal)
    }
}

extension Number: Comparable {
    package static func < (left: Number, right: Number) -> Bool {
        let (left, right) = (left.normal, right.normal)
        if left.sign != right.sign { return left.sign < right.sign }
        return left.isNegative ? right.isSmaller(than: left) : left.isSmaller(than: right)
    }
}

extension Number.Normal {
    /// The number's sign: -1, 0 or 1.
    fileprivate var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    /// Returns whether this number is closer to zero than another number.
    ///
    /// Neither number may be zero.
    fileprivate func isSmaller(than other: Self) -> Bool {
        // The power of ten above the first digit.
        let (power, otherPower) = (digits.count + exponent, other.digits.count + other.exponent)
        return power == otherPower ? digits.lexicographicallyPrecedes(other.digits) : power < otherPower
    }
}
