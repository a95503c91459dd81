import LosslessYAML
import ThreeWayMerge

/// A value whose lists are compared as sets.
enum Unordered: Hashable {
    case scalar(Value)
    case list(Set<Unordered>)
    case mapping([ByteKey: Unordered])

    init(_ value: Value) {
        switch value {
        case .list(let list): self = .list(Set(list.map(Unordered.init)))
        case .mapping(let mapping):
            let entries = mapping.entries.map { (ByteKey($0.key), Unordered($0.value)) }
            self = .mapping(Dictionary(uniqueKeysWithValues: entries))
        case .null, .bool, .number, .string: self = .scalar(value)
        }
    }
}

extension Mapping {
    /// The mapping with its lists as sets, and without values that are equal to missing ones.
    var withoutOrder: Unordered {
        Unordered(
            .mapping(
                Mapping(
                    entries.filter { entry in
                        FieldRules.todo.canonical(entry.key, entry.value) != nil
                    })))
    }
}
