package import LosslessYAML

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
    /// The values are lists of scalars, some of which repeat, and were merged as lines are.
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
