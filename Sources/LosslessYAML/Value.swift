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
