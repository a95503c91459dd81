/// An optional value that is rarely present.
///
/// An absent value takes only a single word of memory.
@propertyWrapper
package struct Rare<Value: Sendable & Hashable>: Sendable, Hashable {
    private var box: Box?

    private final class Box: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    package init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

    package var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map(Box.init) }
    }

    package static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
