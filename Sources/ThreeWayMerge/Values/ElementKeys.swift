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
    let distinguishing: [String]
    /// The first of these other fields that is a text.
    ///
    /// It can be what people call an element by, or anything else.
    let label: String?
    /// For each name, the values that several elements of a list have.
    private let repeated: [String: Set<Value>]

    static let id = "id"

    /// Finds the fields that identify the elements.
    ///
    /// - Parameter identity: The names of fields to try after `id` and `text`.
    init(of lists: Sides<[Value]>, identity: [String]) {
        names = [Self.id, "text"] + identity
        let all = [lists.base, lists.local, lists.remote]
        func distinguishes(_ name: String) -> Bool { all.allSatisfy { Self.distinguishes(name, apart: $0) } }
        own = names.first(where: distinguishes)
        let first = all.compactMap(\.first).first
        if own == nil, case .mapping(let mapping)? = first {
            // A Boolean doesn't identify an element, even if no other element has the same value.
            distinguishing = mapping.entries.filter {
                if case .bool = $0.value { false } else { distinguishes($0.key) }
            }
            .map(\.key)
        } else {
            distinguishing = []
        }
        label = distinguishing.first { if case .string? = first?.scalar(named: $0) { true } else { false } }
        repeated = Dictionary(
            uniqueKeysWithValues: Set(names).map { name in
                (name, all.reduce(into: []) { $0.formUnion(Self.repeated(name, in: $1)) })
            })
    }

    /// Returns the value that identifies an element, or the whole element if no field identifies it.
    func key(of element: Value) -> Value {
        own.flatMap { element.scalar(named: $0) } ?? element
    }

    /// Returns the value of a field if no other element of any list has the same one; nil otherwise.
    func uniqueValue(of name: String, in element: Value) -> Value? {
        element.scalar(named: name).flatMap { repeated[name]?.contains($0) == false ? $0 : nil }
    }

    /// Returns whether two elements could be versions of the same element, because their ids don't differ.
    static func mayBeSame(_ first: Value, _ second: Value) -> Bool {
        guard let firstID = first.scalar(named: id), let secondID = second.scalar(named: id) else {
            return true
        }
        return firstID == secondID
    }

    private static func distinguishes(_ name: String, apart elements: [Value]) -> Bool {
        var values: Set<Value> = []
        return elements.allSatisfy { element in
            element.scalar(named: name).map { values.insert($0).inserted } ?? false
        }
    }

    private static func repeated(_ name: String, in elements: [Value]) -> Set<Value> {
        var values: Set<Value> = []
        return Set(
            elements.compactMap { element in
                element.scalar(named: name).flatMap { values.insert($0).inserted ? nil : $0 }
            })
    }
}

// MARK: Names

extension ElementKeys {
    /// Returns the value that identifies an element, other than its id; nil if there isn't one.
    func name(of element: Value) -> Value? {
        guard case .mapping = element else { return element }
        if let own { return element.scalar(named: own) }
        return names.lazy.filter { $0 != Self.id }.compactMap { element.scalar(named: $0) }.first
    }

    /// Returns whether an element has a name or an id.
    func isNamed(_ element: Value) -> Bool {
        element.scalar(named: Self.id) != nil || name(of: element) != nil
    }

    /// Returns whether an element can be a version of another one, because neither its id nor its name is a
    /// different one.
    func mayBecome(_ old: Value, _ new: Value) -> Bool {
        guard Self.mayBeSame(old, new) else { return false }
        guard let name = name(of: old), let newName = self.name(of: new) else { return true }
        return name.isLike(newName)
    }

    /// Returns whether an element that replaced another one lacks its name, so it may be a different element.
    func isUnsure(_ old: Value, _ new: Value) -> Bool {
        guard let label = label ?? old.firstText, let name = old.scalar(named: label) else { return false }
        return !name.isLike(new.scalar(named: label))
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

    /// The first field of a mapping that is a string.
    fileprivate var firstText: String? {
        guard case .mapping(let mapping) = self else { return nil }
        return mapping.entries.first { if case .string = $0.value { true } else { false } }?.key
    }

    /// Returns whether another value is the same name or, for strings, the same name edited.
    fileprivate func isLike(_ other: Value?) -> Bool {
        if case (.string(let name), .string(let other)?) = (self, other) {
            return EditedName(name).isVersion(of: EditedName(other))
        }
        return self == other
    }
}
