import LosslessYAML

/// The result of merging a value: a tree whose leaves are agreed or in conflict.
indirect enum MergedValue: Sendable {
    /// The value that all rules lead to; nil if it is gone.
    case agreed(Value?)
    /// A mapping on both sides, merged key by key.
    case mapping(MergedMapping)
    /// A list of mappings, merged element by element.
    case elements([MergedElement])
    /// A string with lines that both sides changed.
    case lines(LineMerge)
    /// Values that both sides changed, and no rule can choose; nil for a side without a value.
    case conflict(Sides<Value?>)

    var hasConflict: Bool {
        switch self {
        case .agreed: false
        case .mapping(let mapping): mapping.hasConflict
        case .elements(let elements): elements.contains(where: \.hasConflict)
        case .lines, .conflict: true
        }
    }

    /// Whether the value is agreed or in conflict as a whole.
    var isLeaf: Bool {
        switch self {
        case .agreed, .conflict: true
        case .mapping, .elements, .lines: false
        }
    }

    /// Returns the merged value, with one side's values in place of conflicts.
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

/// An element of a list that was merged element by element, or several elements that can't be told apart.
enum MergedElement: Sendable {
    /// One element, absent from the sides that have no value for it.
    case one(MergedValue)
    /// Elements that could be matched in more than one way, as each side has them.
    case ambiguous(Sides<[Value]>)

    var hasConflict: Bool {
        switch self {
        case .one(let value): value.hasConflict
        case .ambiguous: true
        }
    }

    /// Returns the elements, with one side's values in place of conflicts.
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
        /// Which of the three mappings have the key.
        var isIn: Sides<Bool>
    }

    /// Local's entries in their order, then those that only the remote has.
    var entries: [Entry]

    var hasConflict: Bool { entries.contains(where: \.value.hasConflict) }

    /// Returns the merged mapping, with one side's values in place of conflicts.
    ///
    /// A nested mapping that both sides added has no base if nothing in it is agreed.
    func taking(_ side: Side) -> Mapping {
        Mapping(
            entries.compactMap { entry in
                guard let value = entry.value.taking(side) else { return nil }
                if case .mapping = entry.value, !entry.isIn[side], value == .mapping([:]) { return nil }
                return (key: entry.key, value: value)
            })
    }
}
