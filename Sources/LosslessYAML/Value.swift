#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A value of YAML's 1.2 core schema, which is also a value of JSON.
///
/// Values are equal by type and content: strings byte by byte (not by Unicode's canonical equivalence, which
/// Swift's own `==` follows), numbers as numbers, mappings without regard to order.
public enum Value: Sendable {
    case null
    case bool(Bool)
    case number(Number)
    case string(String)
    case list([Value])
    case mapping(Mapping)
}

extension Value: Hashable {
    public static func == (left: Value, right: Value) -> Bool {
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

    public func hash(into hasher: inout Hasher) {
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

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether the bytes come before others, are the same or come behind them: -1, 0, 1.
    public func order(_ others: UnsafeBufferPointer<UInt8>) -> Int {
        if let start = baseAddress, let other = others.baseAddress {
            let order = memcmp(start, other, Swift.min(count, others.count))
            if order != 0 { return Int(order.signum()) }
        }
        return (count - others.count).signum()
    }
}

extension String {
    /// Returns whether the two strings are the same UTF-8 bytes.
    public func isSameBytes(as other: String) -> Bool {
        let areSame = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.count == $0.count && bytes.order($0) == 0 }
        }
        return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Returns whether the string's UTF-8 bytes come before another one's, which is also the order of their
    /// characters' numbers.
    public func precedes(_ other: String) -> Bool {
        let precedes = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.order($0) < 0 }
        }
        return (precedes ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
}

/// A string that is compared and hashed by its UTF-8 bytes, for use as a dictionary's key.
public struct ByteKey: Sendable, Hashable {
    public let string: String

    public init(_ string: String) {
        self.string = string
    }

    public static func == (left: ByteKey, right: ByteKey) -> Bool {
        left.string.isSameBytes(as: right.string)
    }

    public func hash(into hasher: inout Hasher) {
        let bytes: Void? = string.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if bytes == nil { Array(string.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}
