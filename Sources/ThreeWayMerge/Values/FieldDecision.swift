package import LosslessYAML

/// The decision of a merge about one top-level field whose three versions differ.
package struct FieldDecision: Sendable, Hashable {
    /// The field's name.
    package var field: String
    /// The rule that chose.
    package var rule: MergeRule
    /// The base's value; nil if the base lacks the field.
    package var base: Value?
    /// Local's value; nil if local lacks the field.
    package var local: Value?
    /// The remote's value; nil if the remote lacks the field.
    package var remote: Value?
    /// The merged value, with local's values in place of conflicts; nil if the field is gone.
    package var result: Value?
    /// Whether any part of the field is in conflict.
    package var hasConflict: Bool
}

/// The rule that chose a value where base, local and remote differ.
package enum MergeRule: String, Sendable, CaseIterable {
    /// Only local changed it.
    case changedLocally
    /// Only the remote changed it.
    case changedRemotely
    /// Both changed it to the same value.
    case changedAlike
    /// A mapping on both sides, merged key by key.
    case mapping
    /// Lists of scalars, merged as sets.
    case set
    /// Lists of mappings, merged element by element.
    case elements
    /// Strings with line breaks, merged by lines.
    case lines
    /// The rule of the field: local's value where no other rule can choose.
    case local
    /// The rule of the field: the remote's value where no other rule can choose.
    case remote
    /// The rule of the field: the elements of both lists.
    case union
    /// The rule of the field: the greater value.
    case max
    /// The rule of the field: the lesser value.
    case min
    /// Both sides changed it, and no rule can choose.
    case conflict
}
