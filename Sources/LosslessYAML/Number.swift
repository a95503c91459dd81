/// A number as it was written, compared by its mathematical value and never passed through a binary float.
public struct Number: Sendable {
    /// The number's spelling in JSON's grammar (RFC 8259, section 6), with the digits it was written with.
    public let json: String
    /// Sign, digits without leading and trailing zeros, and the power of ten of the last digit: two numbers are
    /// equal if these are.
    private let isNegative: Bool
    private let digits: [UInt8]
    private let exponent: Int

    /// Creates a number from JSON's spelling, or nil if that is no number of JSON's.
    ///
    /// A number whose exponent has more than 15 digits is refused.
    public init?(json: String) {
        var bytes = Array(json.utf8)[...]
        isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { bytes = bytes.dropFirst() }
        let whole = bytes.prefix(while: \.isDigit)
        bytes = bytes.dropFirst(whole.count)
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return nil }
        var fraction: ArraySlice<UInt8> = []
        if bytes.first == UInt8(ascii: ".") {
            fraction = bytes.dropFirst().prefix(while: \.isDigit)
            bytes = bytes.dropFirst(1 + fraction.count)
            guard !fraction.isEmpty else { return nil }
        }
        var power = 0
        if bytes.first == UInt8(ascii: "e") || bytes.first == UInt8(ascii: "E") {
            bytes = bytes.dropFirst()
            let isNegativePower = bytes.first == UInt8(ascii: "-")
            if isNegativePower || bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
            let powerDigits = bytes.prefix(while: \.isDigit).drop { $0 == UInt8(ascii: "0") }
            guard bytes.first?.isDigit == true, powerDigits.count <= 15 else { return nil }
            bytes = bytes.drop(while: \.isDigit)
            for digit in powerDigits { power = power * 10 + Int(digit - UInt8(ascii: "0")) }
            if isNegativePower { power = -power }
        }
        guard bytes.isEmpty else { return nil }
        self.json = json
        var digits = Array(whole) + Array(fraction)
        power -= fraction.count
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            power += 1
        }
        self.digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
        exponent = self.digits.isEmpty ? 0 : power
    }

    public init(_ integer: Int) {
        // Every integer's description is a number of JSON's.
        guard let number = Number(json: String(integer)) else { preconditionFailure("\(integer) is a number") }
        self = number
    }
}

extension Number: Hashable {
    public static func == (left: Number, right: Number) -> Bool {
        left.exponent == right.exponent && left.digits == right.digits
            && (left.isNegative == right.isNegative || left.digits.isEmpty)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(digits)
        hasher.combine(exponent)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
