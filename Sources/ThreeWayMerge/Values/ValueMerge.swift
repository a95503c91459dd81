import LosslessYAML

/// Merges values by the contract's rules, and returns the rule that decided.
struct ValueMerge {
    /// The names of fields that identify the elements of a list, after `id` and `text`.
    let identity: [String]

    /// A merged value with the rule that decided; the rule is nil if neither side changed anything.
    typealias Result = (value: MergedValue, rule: MergeRule?)

    /// The names of fields whose lists are sets even if values repeat.
    private static let sets: Set = ["tags"]

    /// Merges the versions of a field's value, or of a list's element; nil stands for an absent value.
    func merge(_ values: Sides<Value?>, of key: String? = nil) -> Result {
        Self.chooseChanged(values, comparing: values) ?? combine(values, of: key)
    }

    /// Rule 1: takes a change that only one side made or that both sides made alike; nil if the sides made
    /// different changes.
    ///
    /// - Parameter compared: The canonical forms of the values, for comparing them.
    static func chooseChanged(_ values: Sides<Value?>, comparing compared: Sides<Value?>) -> Result? {
        if compared.local == compared.remote {
            return (.agreed(values.local), compared.local == compared.base ? nil : .changedAlike)
        }
        if compared.local == compared.base { return (.agreed(values.remote), .changedRemotely) }
        if compared.remote == compared.base { return (.agreed(values.local), .changedLocally) }
        return nil
    }

    /// Rules 2 to 5 and 7: merges values that differ from each other and from the base.
    func combine(_ values: Sides<Value?>, of key: String?) -> Result {
        let conflict = Result(value: .conflict(values), rule: .conflict)
        switch (values.local, values.remote) {
        case (.list(let local)?, .list(let remote)?):
            let base = values.base?.list
            if local.areScalars, remote.areScalars, values.base == nil || base?.areScalars == true {
                return Self.mergeScalars(
                    Sides(base: base ?? [], local: local, remote: remote),
                    isSet: key.map(Self.sets.contains) ?? false) ?? conflict
            }
            if let base, [base, local, remote].allSatisfy(\.areElements) {
                return (mergeElements(Sides(base: base, local: local, remote: remote)), .elements)
            }
        case (.mapping(let local)?, .mapping(let remote)?):
            switch values.base {
            case nil: return (.mapping(merge(base: nil, local: local, remote: remote)), .mapping)
            case .mapping(let base)?:
                return (.mapping(merge(base: base, local: local, remote: remote)), .mapping)
            default: break
            }
        case (.string(let local)?, .string(let remote)?):
            guard case .string(let base)? = values.base, [base, local, remote].allSatisfy(\.hasLineBreak)
            else { break }
            let merge = LineMerge(
                base: Array(base.utf8), local: Array(local.utf8), remote: Array(remote.utf8))
            if merge.hasConflict { return (.lines(merge), .lines) }
            return (.agreed(.string(String(decoding: merge.taking(.local), as: UTF8.self))), .lines)
        default: break
        }
        return conflict
    }

    private func merge(base: Mapping?, local: Mapping, remote: Mapping) -> MergedMapping {
        let remoteOnly = remote.keys.filter { local[$0] == nil }
        return MergedMapping(
            entries: (local.keys + remoteOnly).map { key in
                let values = Sides(base: base?[key], local: local[key], remote: remote[key])
                return MergedMapping.Entry(
                    key: key, value: merge(values, of: key).value, isIn: values.map { $0 != nil })
            })
    }
}

extension Value {
    fileprivate var list: [Value]? { if case .list(let list) = self { list } else { nil } }

    fileprivate var isScalar: Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .list, .mapping: false
        }
    }

    fileprivate var isMapping: Bool { if case .mapping = self { true } else { false } }
}

extension [Value] {
    var areScalars: Bool { allSatisfy(\.isScalar) }
    /// Whether the list is empty, or has at least one mapping and otherwise only scalars.
    fileprivate var areElements: Bool {
        isEmpty || contains(where: \.isMapping) && allSatisfy { $0.isScalar || $0.isMapping }
    }
}

extension String {
    fileprivate var hasLineBreak: Bool { utf8.contains(LineEnding.lf) }
}
