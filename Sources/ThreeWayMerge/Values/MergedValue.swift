package import LosslessYAML

/// The result of merging a value: a tree whose leaves are agreed or in conflict.
indirect enum MergedValue: Sendable {
    /// The merged value; nil if it is removed.
    case agreed(Value?)
    /// Both values are mappings and were merged key by key.
    case mapping(MergedMapping)
    /// Both values are lists of mappings and were merged element by element.
    case elements([MergedElement])
    /// Both values are strings, and both sides changed some of the same lines.
    case lines(LineMerge)
    /// Both sides changed the value, and no rule can decide; nil for a side without a value.
    case conflict(Sides<Value?>)

    var hasConflict: Bool {
        switch self {
        case .agreed: false
        case .mapping(let mapping): mapping.hasConflict
        case .elements(let elements): elements.contains(where: \.hasConflict)
        case .lines, .conflict: true
        }
    }

    /// Whether the value is agreed or is in conflict as a whole.
    var isLeaf: Bool {
        switch self {
        case .agreed, .conflict: true
        case .mapping, .elements, .lines: false
        }
    }

    /// Returns the merged value, with one side's values in conflicts.
    func taking(_ side: Side) -> Value? {
        switch self {
        case .agreed(let value): value
        case .mapping(let mapping): .mapping(mapping.taking(side))
        case .elements(let elements): .list(elements.flatMap { $0.taking(side) })
        case .lines(let merge): .string(String(decoding: merge.taking(side), as: UTF8.self))
        case .conflict(let values): values[side]
        }
    }
}

/// An element of a merged list, or several elements that can't be distinguished.
enum MergedElement: Sendable {
    /// A single element; its value is absent from the sides that lack the element.
    case one(MergedValue)
    /// Elements that could be matched in more than one way, with each side's version.
    case ambiguous(Sides<[Value]>)

    var hasConflict: Bool {
        switch self {
        case .one(let value): value.hasConflict
        case .ambiguous: true
        }
    }

    /// Returns the elements, with one side's values in conflicts.
    func taking(_ side: Side) -> [Value] {
        switch self {
        case .one(let value): value.taking(side).map { [$0] } ?? []
        case .ambiguous(let values): values[side]
        }
    }
}

/// A mapping merged key by key.
struct MergedMapping: Sendable {
    struct Entry: Sendable {
        var key: String
        var value: MergedValue
        /// Whether each of the three mappings has the key.
        var isIn: Sides<Bool>
    }

    /// Local's entries in their order, followed by the entries that only the remote has.
    var entries: [Entry]

    var hasConflict: Bool { entries.contains(where: \.value.hasConflict) }

    /// Returns the merged mapping, with one side's values in conflicts.
    ///
    /// A nested mapping that both sides added is left out of the base if nothing in it is agreed.
    func taking(_ side: Side) -> Mapping {
        Mapping(
            entries.compactMap { entry in
                guard let value = entry.value.taking(side) else { return nil }
                if case .mapping = entry.value, !entry.isIn[side], value == .mapping([:]) { return nil }
                return (key: entry.key, value: value)
            })
    }
}

/// A value that both sides changed, and that no rule can merge.
///
/// The value is the first one on its path that isn't a mapping on both sides.
package struct ValueConflict: Sendable, Hashable {
    /// The path of keys to the value, beginning with the top-level field.
    package var path: [String]
    /// The base's value; nil if there isn't one.
    package var base: Value?
    /// The local value; nil if there isn't one.
    package var local: Value?
    /// The remote value; nil if there isn't one.
    package var remote: Value?
}

/// The value that resolves a conflict.
package struct ResolvedValue: Sendable, Hashable {
    /// The value; nil to remove it.
    package var value: Value?

    /// Creates a resolution with a value.
    package init(_ value: Value?) { self.value = value }
}

extension Mapping {
    /// Returns the value at a path of keys; nil if there isn't one.
    package func value(at path: some Collection<String>) -> Value? {
        Value.mapping(self).value(at: path.map { FieldStep.key(ByteKey($0)) })
    }
}

extension MergedMapping {
    /// Returns the mapping with some conflicts resolved, and the conflicts that remain.
    ///
    /// A field that is a mapping on both sides can be resolved as a whole, or else value by value.
    ///
    /// - Parameters:
    ///   - fields: Each side's top-level fields.
    ///   - path: The path of keys to this mapping.
    func resolving(
        in fields: Sides<Mapping?>, at path: [String] = [], by resolve: (ValueConflict) -> ResolvedValue?
    ) -> (mapping: MergedMapping, left: [ValueConflict]) {
        var resolved = self
        var left: [ValueConflict] = []
        for (index, entry) in entries.enumerated() where entry.value.hasConflict {
            let isField = path.isEmpty
            let path = path + [entry.key]
            let values = fields.map { $0?.value(at: path) }
            let conflict = ValueConflict(
                path: path, base: values.base, local: values.local, remote: values.remote)
            if case .mapping(let mapping) = entry.value {
                if isField, let answer = resolve(conflict) {
                    resolved.entries[index].value = .agreed(answer.value)
                    continue
                }
                let (mapping, others) = mapping.resolving(in: fields, at: path, by: resolve)
                resolved.entries[index].value = .mapping(mapping)
                left += others
                continue
            }
            if let answer = resolve(conflict) {
                resolved.entries[index].value = .agreed(answer.value)
            } else {
                left.append(conflict)
            }
        }
        return (resolved, left)
    }
}
