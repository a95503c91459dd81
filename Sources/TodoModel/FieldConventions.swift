package import LosslessYAML
package import Values

/// Compares the values of top-level fields.
package enum CanonicalField {
    /// Returns the canonical form of a value; nil if the value is equivalent to an absent field.
    ///
    /// Null and `complete: false` are equivalent to an absent field, and two spellings of the same instant in
    /// `due` or `start` are equal.
    package static func value(_ field: String, _ value: Value?) -> Value? {
        switch value {
        case nil, .null: nil
        case .bool(false) where field == FieldName.complete: nil
        case .string(let string) where FieldName.dates.contains(field):
            if case .instant(let instant)? = Due(string) {
                .mapping(["instant": .string("\(instant.milliseconds).\(instant.finerDigits)")])
            } else {
                value
            }
        default: value
        }
    }

    /// Returns the names of the fields that differ: those in `new`, in its order, followed by the fields only
    /// in `old`.
    package static func differences(from old: Mapping, to new: Mapping) -> [String] {
        let changed = new.entries.filter { value($0.key, $0.value) != value($0.key, old[$0.key]) }
        let removed = old.entries.filter { new[$0.key] == nil && value($0.key, $0.value) != nil }
        return changed.map(\.key) + removed.map(\.key)
    }

    package static func areEqual(_ left: Mapping, _ right: Mapping) -> Bool {
        left == right || differences(from: left, to: right).isEmpty
    }
}

/// Compares values that can be ordered.
package enum ComparableField {
    /// Returns whether one value is less than another; nil unless both are numbers, both are days, or both
    /// are RFC 3339 times.
    ///
    /// A day and a time can't be compared, because a day begins at different times in different time zones.
    package static func isLess(_ left: Value, _ right: Value) -> Bool? {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right
        case (.string(let left), .string(let right)):
            switch (Due(left), Due(right)) {
            case (.day(let left)?, .day(let right)?): left.daysSinceEpoch < right.daysSinceEpoch
            case (.instant(let left)?, .instant(let right)?): left < right
            default: nil
            }
        default: nil
        }
    }
}

/// The kinds of values that the conventional fields take.
///
/// Other values are kept and synced, but have no effect.
package enum ConventionalField {
    package static let priorities = ["high", "medium", "low"]

    /// The names of the conventional fields, in the order in which they are shown to people.
    package static let names = [
        FieldName.text, FieldName.complete, FieldName.due, FieldName.start, FieldName.priority,
        FieldName.tags, FieldName.notes, FieldName.every,
    ]

    /// The fields whose values are strings, whatever they look like.
    static let strings = [
        FieldName.text, FieldName.notes, FieldName.due, FieldName.start, FieldName.priority, FieldName.every,
    ]

    /// Returns whether any conventional field has the wrong kind of value.
    package static func hasProblem(in fields: Mapping) -> Bool {
        fields.entries.contains { problem($0.key, $0.value) != nil }
    }

    /// Returns whether todosync determines the kind of a field's value.
    package static func determines(_ field: String) -> Bool { names.contains(field) }

    /// Returns whether a field holds a single value, and neither a list nor lines.
    static func takesOneValue(_ field: String) -> Bool {
        determines(field) && ![FieldName.tags, FieldName.notes].contains(field)
    }

    /// Returns a phrase with the values that a conventional field takes; nil if its value is valid.
    package static func problem(_ field: String, _ value: Value) -> String? {
        if value == .null { return nil }
        switch field {
        case FieldName.complete:
            if case .bool = value { return nil }
            return "complete must be true or false"
        case FieldName.due, FieldName.start:
            if case .string(let string) = value, Due(string) != nil { return nil }
            return "\(field) must be a date (2026-12-01) or a time (2026-12-01T09:30:00Z)"
        case FieldName.priority:
            if case .string(let string) = value, priorities.contains(string) { return nil }
            return "priority must be high, medium or low"
        case FieldName.tags:
            if case .list(let list) = value, list.allSatisfy(\.isString) { return nil }
            return "tags must be a list of strings"
        case FieldName.notes:
            return value.isString ? nil : "notes must be a string"
        case FieldName.every:
            if case .string(let string) = value, Recurrence(string) != nil { return nil }
            return "every must be an interval (2 weeks, month on the last friday)"
        default: return nil
        }
    }
}

extension Value {
    fileprivate var isString: Bool { if case .string = self { true } else { false } }
}

/// The names of the fields that todosync uses itself.
package enum FieldName {
    package static let id = "id"
    package static let text = "text"
    package static let complete = "complete"
    package static let due = "due"
    package static let start = "start"
    package static let priority = "priority"
    package static let tags = "tags"
    package static let notes = "notes"
    package static let every = "every"

    /// The fields whose values are days or times.
    package static let dates = [due, start]

    private static let underscore = UInt8(ascii: "_")

    /// Returns whether a name is reserved at the top level, because the tables protocol uses it.
    package static func isReserved(_ name: String) -> Bool {
        let bytes = name.utf8
        // Compare bytes, because `hasPrefix` treats an underscore with an accent as a different character.
        if bytes.first == underscore, bytes.dropFirst().first == underscore { return true }
        // The length rules out most names.
        return switch bytes.count {
        case 2: isCaseVariant(name, of: id) && !name.isSameBytes(as: id)
        case 7: isCaseVariant(name, of: "version") || isCaseVariant(name, of: "deleted")
        case 8: isCaseVariant(name, of: "todosync")
        case 9: isCaseVariant(name, of: "createdat") || isCaseVariant(name, of: "updatedat")
        default: false
        }
    }

    /// Returns whether a name differs from a word of the same length in lowercase letters in case only, if at
    /// all.
    private static func isCaseVariant(_ name: String, of word: String) -> Bool {
        // An ASCII letter differs from its lowercase form only in this bit.
        zip(name.utf8, word.utf8).allSatisfy { $0 | 0x20 == $1 }
    }
}

/// The due date or the start date of a todo: a day or an instant.
package enum Due: Sendable, Hashable {
    /// A calendar day, in any time zone.
    case day(CivilDay)
    case instant(Instant)

    /// Parses a day, such as `2026-12-01`, or an RFC 3339 time; nil for other text.
    package init?(_ text: String) {
        if let day = CivilDay(text) {
            self = .day(day)
        } else if let instant = Instant(text) {
            self = .instant(instant)
        } else {
            return nil
        }
    }

    /// The number of days from 1970-01-01 to the day; for an instant, to its day in UTC.
    package var daysSinceEpoch: Int { day.daysSinceEpoch }

    private var day: CivilDay {
        switch self {
        case .day(let day): day
        case .instant(let instant): instant.day
        }
    }
}

extension Due: Comparable {
    /// A day sorts before the instants of the same day.
    package static func < (left: Due, right: Due) -> Bool {
        switch (left, right) {
        case (.instant(let left), .instant(let right)): left < right
        case (.day, .day), (.instant, .day): left.daysSinceEpoch < right.daysSinceEpoch
        case (.day, .instant): left.daysSinceEpoch <= right.daysSinceEpoch
        }
    }
}
