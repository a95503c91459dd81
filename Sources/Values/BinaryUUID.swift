/// A UUID (RFC 9562), stored as 16 bytes and written in lowercase.
///
/// UUIDs sort like the bytes of their strings.
package struct BinaryUUID: Sendable, Hashable, Comparable {
    private let high: UInt64
    private let low: UInt64

    /// Creates a UUID from a string; nil if the string isn't a UUID in lowercase.
    package init?(_ string: String) {
        guard string.utf8.count == 36 else { return nil }
        var string = string
        let halves = string.withUTF8 { text -> (UInt64, UInt64)? in
            guard text[8] == Self.hyphen, text[13] == Self.hyphen, text[18] == Self.hyphen,
                text[23] == Self.hyphen,
                let high = Self.number(text, [0..<8, 9..<13, 14..<18]),
                let low = Self.number(text, [19..<23, 24..<36])
            else { return nil }
            return (high, low)
        }
        guard let halves else { return nil }
        (high, low) = halves
    }

    /// Creates a UUID from the 16 bytes at an offset.
    package init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
        high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    }

    /// Creates a version 4 UUID from 16 random bytes.
    ///
    /// The version and the variant replace six of the bits.
    package init(random bytes: [UInt8]) {
        precondition(bytes.count == 16, "a UUID has 16 bytes")
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self = bytes.withUnsafeBytes { BinaryUUID($0) }
    }

    /// The UUID of all zeros (RFC 9562, section 5.9).
    package static let zero = [UInt8](repeating: 0, count: 16).withUnsafeBytes { BinaryUUID($0) }

    /// Creates the version 5 UUID of a name in a namespace (RFC 9562, section 5.5).
    ///
    /// The UUID is the same in every program.
    package init(named name: String, in namespace: BinaryUUID) {
        var bytes = Array(SHA1.digest(of: namespace.bytes + Array(name.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        self = bytes.withUnsafeBytes { BinaryUUID($0) }
    }

    /// The 16 bytes.
    package var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { bytes, count in
            let raw = UnsafeMutableRawBufferPointer(bytes)
            raw.storeBytes(of: high.bigEndian, as: UInt64.self)
            raw.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            count = 16
        }
    }

    /// Returns the number of characters that the strings of two UUIDs share at the beginning.
    package func sharedCount(with other: BinaryUUID) -> Int {
        let highBits = (high ^ other.high).leadingZeroBitCount
        let bits = highBits < 64 ? highBits : 64 + (low ^ other.low).leadingZeroBitCount
        let digits = bits / 4
        // Hyphens follow the 8th, 12th, 16th and 20th digits.
        return digits + [8, 12, 16, 20].count { digits >= $0 }
    }

    /// The string of 36 characters.
    package var string: String {
        String(unsafeUninitializedCapacity: 36) { text in
            var end = 0
            for half in [high, low] {
                for shift in stride(from: 60, through: 0, by: -4) {
                    if end == 8 || end == 13 || end == 18 || end == 23 {
                        text[end] = Self.hyphen
                        end += 1
                    }
                    text[end] = UInt8(hexadecimalDigitOf: UInt8(half >> UInt64(shift) & 15))
                    end += 1
                }
            }
            return end
        }
    }

    package static func < (left: BinaryUUID, right: BinaryUUID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    private static let hyphen = UInt8(ascii: "-")

    /// Returns the number that the digits in some ranges form; nil if any character isn't a digit.
    private static func number(_ text: UnsafeBufferPointer<UInt8>, _ ranges: [Range<Int>]) -> UInt64? {
        var number: UInt64 = 0
        for range in ranges {
            for index in range {
                let value = value(text[index])
                if value > 15 { return nil }
                number = number << 4 | UInt64(value)
            }
        }
        return number
    }

    /// Returns the value of a hexadecimal digit; 16 for any other character.
    private static func value(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: 16
        }
    }
}

/// SHA-1 as defined by RFC 3174; for UUIDs only, because it isn't secure.
///
/// The modules below Remotes don't link a digest library, and an id takes only one or two blocks.
private enum SHA1 {
    /// Returns the digest, which has 20 bytes.
    static func digest(of bytes: [UInt8]) -> [UInt8] {
        var message = bytes + [0x80]
        while message.count % 64 != 56 { message.append(0) }
        withUnsafeBytes(of: UInt64(bytes.count * 8).bigEndian) { message.append(contentsOf: $0) }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for start in stride(from: 0, to: message.count, by: 64) {
            add(message[start..<start + 64], to: &state)
        }
        return state.flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(mixed.rotated(by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (function, constant): (UInt32, UInt32) =
                switch index / 20 {
                case 0: (b & c | ~b & d, 0x5A82_7999)
                case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = a.rotated(by: 5) &+ function &+ e &+ word &+ constant
            (a, b, c, d, e) = (next, a, b.rotated(by: 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }
}

extension UInt32 {
    fileprivate func rotated(by count: UInt32) -> UInt32 { self << count | self >> (32 - count) }
}
