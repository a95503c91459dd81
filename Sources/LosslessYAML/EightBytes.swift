/// Eight bytes of a text, looked at together (Warren, Hacker's Delight, section 6-1).
///
/// Most texts are plain for long stretches, which need not be looked at byte by byte.
@frozen
public struct EightBytes {
    @usableFromInline let word: UInt64
    @usableFromInline static let low: UInt64 = 0x0101_0101_0101_0101
    @usableFromInline static let high: UInt64 = 0x8080_8080_8080_8080

    /// Creates the bytes at a position; nil if there are fewer.
    @inlinable
    public init?(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
        guard bytes.count - position >= 8, let start = bytes.baseAddress else { return nil }
        word = UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self)
    }

    @inlinable public var areASCII: Bool { word & Self.high == 0 }

    /// Whether one of them is a control character below U+0020.
    @inlinable public var haveControl: Bool { (word &- 0x20 &* Self.low) & ~word & Self.high != 0 }

    /// Whether one of them is a byte.
    @inlinable
    public func contain(_ byte: UInt8) -> Bool {
        let difference = word ^ UInt64(byte) &* Self.low
        return (difference &- Self.low) & ~difference & Self.high != 0
    }
}
