import LosslessYAML

/// The fields that identify the elements of lists.
struct ElementKeys {
    /// The names of fields that can identify an element, the most reliable first.
    let names: [String]
    /// The first of these fields that every element has, with a different value for each element of a list.
    let own: String?
    /// All fields that tell elements apart, whatever their names; empty if one field is known to identify
    /// them.
    let telling: [String]

    static let id = "id"

    /// Creates the keys.
    ///
    /// - Parameter identity: the names that are tried after `id` and `text`.
    init(of lists: Sides<[Value]>, identity: [String]) {
        names = [Self.id, "text"] + identity
        func tells(_ name: String) -> Bool {
            [lists.base, lists.local, lists.remote].allSatisfy { Self.tells(name, apart: $0) }
        }
        own = names.first(where: tells)
        let first = [lists.base, lists.local, lists.remote].compactMap(\.first).first
        if own == nil, case .mapping(let mapping)? = first {
            // A Boolean doesn't identify an element, even if only one element has that value.
            telling = mapping.entries.filter { if case .bool = $0.value { false } else { tells($0.key) } }
                .map(\.key)
        } else {
            telling = []
        }
    }

    /// Returns the part of an element that is compared: the value that identifies it, or the whole element.
    func key(of element: Value) -> Value {
        own.flatMap { element.scalar(named: $0) } ?? element
    }

    /// Returns whether two elements can be versions of one element, because they don't have different ids.
    static func mayBeSame(_ first: Value, _ second: Value) -> Bool {
        guard let firstID = first.scalar(named: id), let secondID = second.scalar(named: id) else {
            return true
        }
        return firstID == secondID
    }

    private static func tells(_ name: String, apart elements: [Value]) -> Bool {
        var values: Set<Value> = []
        return elements.allSatisfy { element in
            element.scalar(named: name).map { values.insert($0).inserted } ?? false
        }
    }
}

extension Value {
    /// Returns the value of a mapping's field if it is a Boolean, a number or a string.
    func scalar(named name: String) -> Value? {
        guard case .mapping(let mapping) = self else { return nil }
        return switch mapping[name] {
        case .bool?, .number?, .string?: mapping[name]
        case .null?, .list?, .mapping?, nil: nil
        }
    }
}
