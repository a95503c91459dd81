import LosslessYAML

/// What the elements of lists are known by.
struct ElementKeys {
    /// The names of fields that may tell one element from all others, the surest first.
    let names: [String]
    /// The first of them that every element has, with a value of its own in each list.
    let own: String?
    /// All fields that tell elements apart, whatever their names; empty if one field is known to identify
    /// them.
    let telling: [String]

    static let id = "id"

    /// - Parameter identity: The names that are tried after `id` and `text`.
    init(of lists: Sides<[Value]>, identity: [String]) {
        names = [Self.id, "text"] + identity
        func tells(_ name: String) -> Bool {
            [lists.base, lists.local, lists.remote].allSatisfy { Self.tells(name, apart: $0) }
        }
        own = names.first(where: tells)
        let first = [lists.base, lists.local, lists.remote].compactMap(\.first).first
        if own == nil, case .mapping(let mapping)? = first {
            // A tick tells nothing, even where there is but one.
            telling = mapping.entries.filter { if case .bool = $0.value { false } else { tells($0.key) } }
                .map(\.key)
        } else {
            telling = []
        }
    }

    /// What is compared of an element: the value it is known by, or all of it.
    func key(of element: Value) -> Value {
        own.flatMap { element.scalar(named: $0) } ?? element
    }

    /// Whether two elements can be versions of one: they don't have different ids.
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
    /// The value of a mapping's field, if that is a bool, a number or a string.
    func scalar(named name: String) -> Value? {
        guard case .mapping(let mapping) = self else { return nil }
        return switch mapping[name] {
        case .bool?, .number?, .string?: mapping[name]
        case .null?, .list?, .mapping?, nil: nil
        }
    }
}
