import LosslessYAML

/// The merge of a todo's top-level fields.
struct FieldMerge {
    private(set) var fields = MergedMapping(entries: [])
    private(set) var decisions: [FieldDecision] = []

    /// The field that identifies the todo and has the same value on both sides.
    private static let identity = "id"

    init(_ texts: AlignedTexts, rules: FieldRules) {
        self.init(
            base: texts.base?.fields, local: texts.local.fields, remote: texts.remote.fields, rules: rules)
    }

    init(base: Mapping?, local: Mapping, remote: Mapping, rules: FieldRules) {
        let remoteOnly = remote.keys.filter { local[$0] == nil }
        for key in local.keys + remoteOnly {
            let values = Sides(base: base?[key], local: local[key], remote: remote[key])
            let (value, rule) = Self.merge(key, values, rules)
            fields.entries.append(MergedMapping.Entry(key: key, value: value, isIn: values.map { $0 != nil }))
            if let rule { decide(key, values, rule, value) }
        }
        for entry in base?.entries ?? [] where local[entry.key] == nil && remote[entry.key] == nil {
            decide(entry.key, Sides(base: entry.value, local: nil, remote: nil), .changedAlike, .agreed(nil))
        }
    }

    private mutating func decide(
        _ key: String, _ values: Sides<Value?>, _ rule: MergeRule, _ value: MergedValue
    ) {
        decisions.append(
            FieldDecision(
                field: key, rule: rule, base: values.base, local: values.local, remote: values.remote,
                result: value.taking(.local), hasConflict: value.hasConflict))
    }

    private static func merge(_ key: String, _ values: Sides<Value?>, _ rules: FieldRules)
        -> ValueMerge.Result
    {
        let merge = ValueMerge(identity: rules.identity)
        if key.isSameBytes(as: identity), let local = values.local { return (.agreed(local), nil) }
        // A different spelling counts as a change only if the other side didn't change the field.
        if values.local == values.base || values.remote == values.base || values.local == values.remote {
            return merge.merge(values, of: key)
        }
        let compared = values.map { rules.canonical(key, $0) }
        if let chosen = ValueMerge.chooseChanged(values, comparing: compared) { return chosen }
        // Null is the same as an absent field.
        let base = values.base == .null ? nil : values.base
        let result = merge.combine(
            Sides(base: base, local: values.local, remote: values.remote), of: key)
        let merged: ValueMerge.Result =
            if case .conflict = result.value { (.conflict(values), result.rule) } else { result }
        return rules.choose(key, values, merged)
    }
}
