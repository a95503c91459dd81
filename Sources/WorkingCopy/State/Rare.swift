/// A value that is seldom there: where it is not, it takes a word.
@propertyWrapper
public struct Rare<Value: Sendable & Hashable>: Sendable, Hashable {
    private var box: Box?

    private final class Box: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    public init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

    public var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map(Box.init) }
    }

    public static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }

    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
