/// Eight bytes of a text that are examined together (Warren, Hacker's Delight, section 6-1).
///
/// Most texts are plain for long stretches that need not be examined byte by byte. The highest bit of each
/// byte in a result says whether the byte matches: the lowest bit that is set is right, others can be wrong.
@frozen
public struct EightBytes {
    @usableFromInline let word: UInt64
    @usableFromInline static let low: UInt64 = 0x0101_0101_0101_0101
    @usableFromInline static let high: UInt64 = 0x8080_8080_8080_8080

    /// Creates the bytes at a position; nil if there are fewer.
    @inlinable
    public init?(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
        guard bytes.count - position >= 8, let start = bytes.baseAddress else { return nil }
        word = UInt64(littleEndian: UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self))
    }

    /// The bytes that are not ASCII.
    @inlinable public var others: UInt64 { word & Self.high }

    /// The control characters below U+0020.
    @inlinable public var controls: UInt64 { (word &- 0x20 &* Self.low) & ~word & Self.high }

    /// Returns the bytes that equal `byte`.
    @inlinable
    public func places(of byte: UInt8) -> UInt64 {
        let difference = word ^ UInt64(byte) &* Self.low
        return (difference &- Self.low) & ~difference & Self.high
    }

    /// Returns how many bytes precede the first match; 8 if there is no match.
    @inlinable
    public static func count(before places: UInt64) -> Int { places.trailingZeroBitCount / 8 }
}
