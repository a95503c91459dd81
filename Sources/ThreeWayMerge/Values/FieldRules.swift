package import LosslessYAML

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
    package var fixed: Set<String> = ["id", "text", "complete", "due", "priority", "tags", "notes"]

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
