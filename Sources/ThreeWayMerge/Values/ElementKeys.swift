import LosslessYAML

/// The fields that identify the elements of lists.
struct ElementKeys {
    /// The names of fields that can identify an element, most reliable first.
    let names: [String]
    /// The first of these fields that every element has, with a different value for each element of a list;
    /// nil if there isn't one.
    let own: String?
    /// All fields, whatever their names, that have a different value for each element; empty if ``own`` isn't
    /// nil.
    let telling: [String]

    static let id = "id"

    /// Finds the fields that identify the elements.
    ///
    /// - Parameter identity: The names of fields to try after `id` and `text`.
    init(of lists: Sides<[Value]>, identity: [String]) {
        names = [Self.id, "text"] + identity
        func tells(_ name: String) -> Bool {
            [lists.base, lists.local, lists.remote].allSatisfy { Self.tells(name, apart: $0) }
        }
        own = names.first(where: tells)
        let first = [lists.base, lists.local, lists.remote].compactMap(\.first).first
        if own == nil, case .mapping(let mapping)? = first {
            // A Boolean doesn't identify an element, even if no other element has the same value.
            telling = mapping.entries.filter { if case .bool = $0.value { false } else { tells($0.key) } }
                .map(\.key)
        } else {
            telling = []
        }
    }

    /// Returns the value that identifies an element, or the whole element if no field identifies it.
    func key(of element: Value) -> Value {
        own.flatMap { element.scalar(named: $0) } ?? element
    }

    /// Returns whether two elements could be versions of the same element, because their ids don't differ.
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
    /// Returns a field's value if it is a Boolean, a number or a string; nil otherwise.
    func scalar(named name: String) -> Value? {
        guard case .mapping(let mapping) = self else { return nil }
        return switch mapping[name] {
        case .bool?, .number?, .string?: mapping[name]
        case .null?, .list?, .mapping?, nil: nil
        }
    }
}
