/// YAML's 1.2 core schema, which defines the values of plain scalars (YAML 1.2.2, section 10.3.2).
enum CoreSchema {
    /// Returns the value of a plain scalar.
    ///
    /// - Throws: The problem with a number. The caller adds the position.
    static func resolve(_ text: UnsafeBufferPointer<UInt8>) throws(Fault) -> Value {
        guard let first = text.first else { return .null }
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), .hyphen, UInt8(ascii: "."):
            if let number = try number(text) { return .number(number) }
        case UInt8(ascii: "~") where text.count == 1: return .null
        case UInt8(ascii: "n"), UInt8(ascii: "N"):
            if text.isOne(of: "null", "Null", "NULL") { return .null }
        case UInt8(ascii: "t"), UInt8(ascii: "T"):
            if text.isOne(of: "true", "True", "TRUE") { return .bool(true) }
        case UInt8(ascii: "f"), UInt8(ascii: "F"):
            if text.isOne(of: "false", "False", "FALSE") { return .bool(false) }
        default: break
        }
        return .string(String(decoding: text, as: UTF8.self))
    }

    /// The problem with a scalar that looks like a number.
    enum Fault: Error {
        case notFinite
        case numberTooLarge
    }

    /// Returns the number that a text represents; nil if the text isn't a number.
    private static func number(_ text: UnsafeBufferPointer<UInt8>) throws(Fault) -> Number? {
        if text.count > 2, text[0] == UInt8(ascii: "0") {
            let digits = UnsafeBufferPointer(rebasing: text[2...])
            switch text[1] {
            case UInt8(ascii: "x") where digits.allSatisfy { $0.hexadecimalDigit != nil }:
                return try integer(digits, bitsPerDigit: 4)
            case UInt8(ascii: "o")
            where digits.allSatisfy { $0 >= UInt8(ascii: "0") && $0 < UInt8(ascii: "8") }:
                return try integer(digits, bitsPerDigit: 3)
            default: break
            }
        }
        guard let spelling = try jsonSpelling(text) else { return nil }
        guard let number = Number(json: spelling) else { throw .numberTooLarge }
        return number
    }

    /// Returns a decimal number in JSON's spelling; nil if the text isn't a number.
    private static func jsonSpelling(_ text: UnsafeBufferPointer<UInt8>) throws(Fault) -> String? {
        var position = 0
        let isNegative = text[0] == .hyphen
        if isNegative || text[0] == UInt8(ascii: "+") { position = 1 }
        if text.count == position + 4, text[position] == UInt8(ascii: ".") {
            let word = UnsafeBufferPointer(rebasing: text[position...])
            let isNaN = position == 0 && word.isOne(of: ".nan", ".NaN", ".NAN")
            if isNaN || word.isOne(of: ".inf", ".Inf", ".INF") { throw .notFinite }
        }

        func skipDigits() -> Range<Int> {
            let start = position
            while position < text.count, text[position].isDigit { position += 1 }
            return start..<position
        }
        let whole = skipDigits()
        var fraction: Range<Int>?
        if position < text.count, text[position] == UInt8(ascii: ".") {
            position += 1
            fraction = skipDigits()
        }
        guard !whole.isEmpty || fraction?.isEmpty == false else { return nil }
        let mantissaEnd = position
        if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < text.count, text[position] == .hyphen || text[position] == UInt8(ascii: "+") {
                position += 1
            }
            if skipDigits().isEmpty { return nil }
        }
        guard position == text.count else { return nil }

        let isJSON =
            text[0] != UInt8(ascii: "+") && !whole.isEmpty && fraction?.isEmpty != true
            && (whole.count == 1 || text[whole.lowerBound] != UInt8(ascii: "0"))
        if isJSON { return String(decoding: text, as: UTF8.self) }
        var spelling: [UInt8] = isNegative ? [.hyphen] : []
        let significant = text[whole].drop { $0 == UInt8(ascii: "0") }
        spelling += significant.isEmpty ? [UInt8(ascii: "0")] : Array(significant)
        if let fraction {
            spelling.append(UInt8(ascii: "."))
            spelling += fraction.isEmpty ? [UInt8(ascii: "0")] : Array(text[fraction])
        }
        spelling += text[mantissaEnd...]
        return String(decoding: spelling, as: UTF8.self)
    }

    /// Returns the exact decimal number for hexadecimal or octal digits.
    private static func integer(_ digits: UnsafeBufferPointer<UInt8>, bitsPerDigit: Int) throws(Fault)
        -> Number?
    {
        guard digits.count <= Limits.radixDigits else { throw .numberTooLarge }
        // Groups of nine decimal digits, least significant first. A group times 2^27 fits into 64 bits.
        let base: UInt64 = 1_000_000_000
        let digitsPerStep = 6
        var groups: [UInt64] = [0]
        var position = 0
        while position < digits.count {
            let end = min(position + digitsPerStep, digits.count)
            var carry: UInt64 = 0
            for digit in digits[position..<end] {
                carry = carry << UInt64(bitsPerDigit) | UInt64(digit.hexadecimalDigit ?? 0)
            }
            let shift = UInt64(bitsPerDigit * (end - position))
            for index in groups.indices {
                let sum = groups[index] << shift + carry
                groups[index] = sum % base
                carry = sum / base
            }
            if carry > 0 { groups.append(carry) }
            position = end
        }
        var spelling = String(groups[groups.count - 1])
        for group in groups.dropLast().reversed() {
            let text = String(group)
            spelling += String(repeating: "0", count: 9 - text.utf8.count) + text
        }
        return Number(json: spelling)
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func isOne(of words: StaticString...) -> Bool {
        words.contains { word in
            word.utf8CodeUnitCount == count
                && elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: count))
        }
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit in uppercase or lowercase; nil for any other byte.
    package var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension BinaryInteger {
    /// Returns the hexadecimal digits of a number that isn't negative, with zeros before them up to a width.
    package func hexadecimal(width: Int, uppercase: Bool = false) -> String {
        let digits = String(self, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

/// A tag that a node may have.
enum CoreTag: String {
    case string = "tag:yaml.org,2002:str"
    case integer = "tag:yaml.org,2002:int"
    case float = "tag:yaml.org,2002:float"
    case bool = "tag:yaml.org,2002:bool"
    case null = "tag:yaml.org,2002:null"
    case sequence = "tag:yaml.org,2002:seq"
    case mapping = "tag:yaml.org,2002:map"
    /// `!` makes a scalar a string.
    case nonSpecific = "!"

    init?(_ tag: String) {
        self.init(rawValue: tag)
    }

    /// Returns the value of a scalar with this tag; nil if the text doesn't fit the tag.
    func resolve(_ text: UnsafeBufferPointer<UInt8>) throws(CoreSchema.Fault) -> Value? {
        switch self {
        case .string, .nonSpecific: return .string(String(decoding: text, as: UTF8.self))
        case .sequence, .mapping: return nil
        case .integer, .float, .bool, .null: break
        }
        let value = try CoreSchema.resolve(text)
        switch (self, value) {
        case (.null, .null), (.bool, .bool), (.float, .number): return value
        case (.integer, .number(let number)):
            return number.json.utf8.allSatisfy { $0.isDigit || $0 == .hyphen } ? value : nil
        default: return nil
        }
    }
}
