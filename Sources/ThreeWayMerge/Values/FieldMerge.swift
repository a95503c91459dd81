package import LosslessYAML

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

/// A merge's decision about a top-level field whose three versions differ.
package struct FieldDecision: Sendable, Hashable {
    /// The field's name.
    package var field: String
    /// The rule that decided.
    package var rule: MergeRule
    /// The base's value; nil if the base lacks the field.
    package var base: Value?
    /// Local's value; nil if local lacks the field.
    package var local: Value?
    /// The remote's value; nil if the remote lacks the field.
    package var remote: Value?
    /// The merged value, with local's values in conflicts; nil if the field is removed.
    package var result: Value?
    /// Whether any part of the field is in conflict.
    package var hasConflict: Bool
}

/// The rule that decided about a value whose base, local and remote versions differ.
package enum MergeRule: String, Sendable, CaseIterable {
    /// Only local changed the value.
    case changedLocally
    /// Only the remote changed the value.
    case changedRemotely
    /// Both sides changed the value in the same way.
    case changedAlike
    /// Both values are mappings and were merged key by key.
    case mapping
    /// The values are lists of scalars and were merged as sets.
    case set
    /// The values are lists that repeat scalars, and were merged like the lines of a text.
    case sequence
    /// The values are lists of mappings and were merged element by element.
    case elements
    /// The values are strings with line breaks and were merged line by line.
    case lines
    /// The field's rule takes local's value if no other rule can decide.
    case local
    /// The field's rule takes the remote's value if no other rule can decide.
    case remote
    /// The field's rule takes the elements of both lists.
    case union
    /// The field's rule takes the greater value.
    case max
    /// The field's rule takes the lesser value.
    case min
    /// Both sides changed the value, and no rule could decide.
    case conflict

    /// Whether a field's rule takes one side's value.
    package var takesSide: Bool { [.local, .remote, .max, .min].contains(self) }
    /// Whether a field's rule decided.
    package var isOfField: Bool { takesSide || self == .union }
}

/// The rules for top-level fields: the differences that matter, the fields that identify list elements, the
/// fields that can't be renamed, and the merge of certain fields that both sides changed.
package struct FieldRules: Sendable {
    /// Returns the canonical form of a field's value, for comparing values; nil for an absent field.
    package var canonical: @Sendable (_ field: String, _ value: Value?) -> Value?

    /// The names of fields that identify the elements of a list, if `id` and `text` don't.
    ///
    /// The first field that has a different value in every element is used.
    package var identity: [String]

    /// The fields with a fixed meaning, which are never matched as renamed fields.
    package var fixed: Set<String> = ["id", "text"]

    /// The rules for fields that both sides changed, by name.
    ///
    /// Other fields merge according to their values.
    package private(set) var choices: [ByteKey: FieldRule] = [:]

    /// Returns whether one value is less than another; nil if they aren't comparable.
    private var isLess: @Sendable (Value, Value) -> Bool? = { _, _ in nil }

    /// The default value of ``identity``.
    package static let defaultIdentity = ["name", "key", "title", "task"]

    /// Creates rules from a function that returns a value's canonical form.
    package init(
        identity: [String] = defaultIdentity,
        canonical: @escaping @Sendable (_ field: String, _ value: Value?) -> Value?
    ) {
        self.identity = identity
        self.canonical = canonical
    }

    /// Returns these rules, with rules for fields that both sides changed.
    ///
    /// These fields also keep their names.
    ///
    /// - Parameter isLess: Returns whether one value is less than another; nil if they aren't comparable.
    package func choosing(
        _ choices: [ByteKey: FieldRule],
        isLess: @escaping @Sendable (_ left: Value, _ right: Value) -> Bool?
    ) -> FieldRules {
        var rules = self
        (rules.choices, rules.isLess) = (choices, isLess)
        rules.fixed.formUnion(choices.keys.map(\.string))
        return rules
    }

    /// Returns these rules without the rules for some fields, which then merge according to their values.
    package func withoutChoices(of fields: [String]) -> FieldRules {
        var rules = self
        for field in fields { rules.choices[ByteKey(field)] = nil }
        return rules
    }

    /// Rules that make every difference matter, except between null and an absent field.
    package static let plain = FieldRules { _, value in value == .null ? nil : value }
}

/// The rule for a field that both sides changed differently.
package enum FieldRule: String, Sendable, CaseIterable {
    /// Take local's value where the values conflict.
    case local
    /// Take the remote's value where the values conflict.
    case remote
    /// Take all elements of both lists of scalars, even those that one side removed.
    case union
    /// Take the greater value, if the values are comparable.
    case max
    /// Take the lesser value, if the values are comparable.
    case min
}

extension FieldRules {
    /// Applies a field's rule to a value that both sides changed differently.
    ///
    /// - Parameter merged: The result without the field's rule; it is returned if that rule doesn't apply.
    func choose(_ field: String, _ values: Sides<Value?>, _ merged: ValueMerge.Result) -> ValueMerge.Result {
        let choice = choices[ByteKey(field)]
        switch choice {
        case nil: return merged
        case .local? where merged.value.hasConflict: return (.agreed(merged.value.taking(.local)), .local)
        case .remote? where merged.value.hasConflict: return (.agreed(merged.value.taking(.remote)), .remote)
        case .local?, .remote?: return merged
        case .union?: return ValueMerge.union(values).map { (.agreed($0), .union) } ?? merged
        case .max?, .min?:
            guard let local = values.local, let remote = values.remote, let isLess = isLess(local, remote)
            else { return merged }
            let rule: MergeRule = choice == .max ? .max : .min
            // If the values are equal and only their spellings differ, local's stays.
            let isRemote = rule == .max ? isLess : self.isLess(remote, local) == true
            return (.agreed(isRemote ? remote : local), rule)
        }
    }
}
