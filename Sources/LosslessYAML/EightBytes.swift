/// Eight bytes of a text that are examined at once (Warren, Hacker's Delight, section 6-1).
///
/// Most texts have long stretches without special characters, which needn't be examined byte by byte. In a
/// result, the highest bit of each byte is set if the byte matches. Only the lowest set bit is reliable;
/// higher bits can be wrong.
@frozen
public struct EightBytes {
    @usableFromInline let word: UInt64
    @usableFromInline static let low: UInt64 = 0x0101_0101_0101_0101
    @usableFromInline static let high: UInt64 = 0x8080_8080_8080_8080

    /// Reads eight bytes at an offset; nil if there are fewer.
    @inlinable
    public init?(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
        guard bytes.count - position >= 8, let start = bytes.baseAddress else { return nil }
        word = UInt64(littleEndian: UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self))
    }

    /// The bytes that aren't ASCII.
    @inlinable public var others: UInt64 { word & Self.high }

    /// The control characters below U+0020.
    @inlinable public var controls: UInt64 { (word &- 0x20 &* Self.low) & ~word & Self.high }

    /// Returns the bytes that equal the given byte.
    @inlinable
    public func matches(of byte: UInt8) -> UInt64 {
        let difference = word ^ UInt64(byte) &* Self.low
        return (difference &- Self.low) & ~difference & Self.high
    }

    /// Returns the number of bytes before the first match; 8 if there isn't one.
    @inlinable
    public static func count(before matches: UInt64) -> Int { matches.trailingZeroBitCount / 8 }
}
