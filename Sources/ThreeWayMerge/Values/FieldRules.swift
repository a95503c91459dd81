package import LosslessYAML

/// Rules for top-level fields: which differences count, what identifies list elements, which fields keep
/// their names, and what becomes of some fields that both sides changed.
package struct FieldRules: Sendable {
    /// Returns the form in which a field's value is compared; nil counts as absent.
    package var canonical: @Sendable (_ field: String, _ value: Value?) -> Value?

    /// The names of fields that match the elements of a list without `id` and `text`.
    ///
    /// The first name that every element has, each with a different value, is used.
    package var identity: [String]

    /// The names of fields with a fixed meaning: none of them is taken for another field that was renamed.
    package var fixed: Set<String> = ["id", "text", "complete", "due", "priority", "tags", "notes"]

    /// The rules of fields that both sides changed, by name; the other fields merge by their values alone.
    package private(set) var choices: [ByteKey: FieldRule] = [:]

    /// Returns whether a value is less than another one; nil if they can't be compared.
    private var isLess: @Sendable (Value, Value) -> Bool? = { _, _ in nil }

    /// The default value of ``identity``.
    package static let defaultIdentity = ["name", "key", "title", "task"]

    /// Creates rules from a function that returns the form in which a value is compared.
    package init(
        identity: [String] = defaultIdentity,
        canonical: @escaping @Sendable (_ field: String, _ value: Value?) -> Value?
    ) {
        self.identity = identity
        self.canonical = canonical
    }

    /// Returns the same rules, with rules of fields that both sides changed.
    ///
    /// These fields also keep their names.
    ///
    /// - Parameter isLess: returns whether a value is less than another one; nil if they can't be compared.
    package func choosing(
        _ choices: [ByteKey: FieldRule],
        isLess: @escaping @Sendable (_ left: Value, _ right: Value) -> Bool?
    ) -> FieldRules {
        var rules = self
        (rules.choices, rules.isLess) = (choices, isLess)
        rules.fixed.formUnion(choices.keys.map(\.string))
        return rules
    }

    /// Returns the same rules, except that some fields merge by their values alone.
    package func withoutChoices(of fields: [String]) -> FieldRules {
        var rules = self
        for field in fields { rules.choices[ByteKey(field)] = nil }
        return rules
    }

    /// Rules by which every difference counts, except that null counts as absent.
    package static let plain = FieldRules { _, value in value == .null ? nil : value }
}

/// What becomes of a field that both sides changed differently.
package enum FieldRule: String, Sendable, CaseIterable {
    /// Local's value is used for what can't be merged.
    case local
    /// The remote's value is used for what can't be merged.
    case remote
    /// A list of scalars has the elements of both sides, even those that one side removed.
    case union
    /// The greater of two values that can be compared is used.
    case max
    /// The lesser of two values that can be compared is used.
    case min
}

extension FieldRules {
    /// Applies a field's own rule to a value that both sides changed differently.
    ///
    /// - Parameter merged: the value and the rule without it; they stay if the field's rule doesn't fit.
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
            // Of two spellings of the same value, local's stays.
            let isRemote = rule == .max ? isLess : self.isLess(remote, local) == true
            return (.agreed(isRemote ? remote : local), rule)
        }
    }
}
