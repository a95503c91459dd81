internal import Platform

extension UnsafeBufferPointer<UInt8> {
    /// Returns -1, 0 or 1 if the bytes sort before, equal or sort after other bytes.
    package func order(_ others: UnsafeBufferPointer<UInt8>) -> Int {
        if let start = baseAddress, let other = others.baseAddress {
            let order = memcmp(start, other, Swift.min(count, others.count))
            if order != 0 { return Int(order.signum()) }
        }
        return (count - others.count).signum()
    }
}

extension String {
    /// Returns whether two strings have the same UTF-8 bytes.
    package func isSameBytes(as other: String) -> Bool {
        let areSame = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.count == $0.count && bytes.order($0) == 0 }
        }
        return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Returns whether the string sorts before another string by UTF-8 bytes, which is also the order by code
    /// points.
    package func precedes(_ other: String) -> Bool {
        let precedes = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.order($0) < 0 }
        }
        return (precedes ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
}

/// A string that is compared and hashed by its UTF-8 bytes, for use as a dictionary key.
package struct ByteKey: Sendable, Hashable {
    package let string: String

    package init(_ string: String) {
        self.string = string
    }

    package static func == (left: ByteKey, right: ByteKey) -> Bool {
        left.string.isSameBytes(as: right.string)
    }

    package func hash(into hasher: inout Hasher) {
        let bytes: Void? = string.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if bytes == nil { Array(string.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}

extension Sequence {
    /// Returns the elements sorted by the UTF-8 bytes of each element's string.
    ///
    /// Elements with the same string keep their order unless `isBefore` orders them differently.
    @inlinable package func sorted(
        byBytesOf string: (Element) -> String, then isBefore: ((Element, Element) -> Bool)? = nil
    ) -> [Element] {
        let elements = Array(self)
        // Sort indices instead of elements, which can be large.
        return indicesInOrder(of: elements.map(string)) { left, right in
            isBefore?(elements[left], elements[right]) ?? (left < right)
        }.map { elements[$0] }
    }
}

/// Returns the indices of strings, sorted by the strings' UTF-8 bytes.
///
/// - Parameter isBefore: Returns whether the first of two indices with the same string comes first.
@usableFromInline package func indicesInOrder(of strings: [String], then isBefore: (Int, Int) -> Bool)
    -> [Int]
{
    BeginningBytes.all(of: strings).sorted { left, right in
        if left.high != right.high { return left.high < right.high }
        if left.low != right.low { return left.low < right.low }
        let (first, second) = (strings[left.index], strings[right.index])
        return first.isSameBytes(as: second) ? isBefore(left.index, right.index) : first.precedes(second)
    }.map(\.index)
}

/// Sixteen bytes of a string after the prefix that all the strings share.
///
/// Comparing these bytes is faster than comparing the strings, and usually sufficient.
private struct BeginningBytes {
    var high: UInt64
    var low: UInt64
    /// The string's index.
    var index: Int

    static func all(of strings: [String]) -> [BeginningBytes] {
        guard var first = strings.first else { return [] }
        let common = first.withUTF8 { first in
            strings.reduce(first.count) { common, string in
                var string = string
                return string.withUTF8 { $0.commonCount(first, atMost: common) }
            }
        }
        return strings.enumerated().map { index, string in
            var string = string
            return string.withUTF8 {
                BeginningBytes(
                    high: UInt64(bytes: $0, from: common), low: UInt64(bytes: $0, from: common + 8),
                    index: index)
            }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the length of the prefix that two texts share, up to a limit.
    package func commonCount(_ other: UnsafeBufferPointer<UInt8>, atMost limit: Int) -> Int {
        let limit = Swift.min(limit, count, other.count)
        var common = 0
        while common < limit, self[common] == other[common] { common += 1 }
        return common
    }
}

extension UInt64 {
    /// Creates a number from eight bytes; the numbers sort in the same order as the bytes.
    ///
    /// If fewer than eight bytes remain, `end` and then zeros follow them.
    package init(bytes: UnsafeBufferPointer<UInt8>, from start: Int, end: UInt8 = 0) {
        if let eight = EightBytes(bytes, at: start) {
            self = eight.word.byteSwapped
            return
        }
        self = 0
        for index in start..<start + 8 {
            let byte = index < bytes.count ? bytes[index] : index == bytes.count ? end : 0
            self = self << 8 | UInt64(byte)
        }
    }
}
