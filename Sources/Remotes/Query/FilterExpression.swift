package import LosslessYAML
package import Values

/// A condition on records, or a part of one: a parsed `$filter` of the tables protocol.
///
/// Its logic has three values, as in SQL: a comparison with null is neither true nor false, except `eq null`
/// and `ne null`. An operation on a value of the wrong type, such as the length of a number, is null. Values
/// of different types are not equal, and neither is less than the other. Comparisons of strings ignore case.
package indirect enum FilterExpression: Sendable, Hashable {
    case literal(Literal)
    case property(RecordProperty)
    case and([FilterExpression])
    case or([FilterExpression])
    case not(FilterExpression)
    case comparison(Comparison, FilterExpression, FilterExpression)
    case arithmetic(Arithmetic, FilterExpression, FilterExpression)
    case negative(FilterExpression)
    case call(Function, [FilterExpression])

    package enum Literal: Sendable, Hashable {
        case null
        case bool(Bool)
        /// A number, which is compared as a 64-bit integer if it is one, and as a binary float otherwise.
        case number(Number)
        case string(String)
        case guid(String)
        case instant(Instant)
    }

    package enum Comparison: String, Sendable, Hashable, CaseIterable {
        case equal = "eq"
        case notEqual = "ne"
        case greater = "gt"
        case greaterOrEqual = "ge"
        case less = "lt"
        case lessOrEqual = "le"
    }

    /// An arithmetic operation.
    ///
    /// Operations on integers return integers, even divisions. A division by zero is null.
    package enum Arithmetic: String, Sendable, Hashable, CaseIterable {
        case add
        case subtract = "sub"
        case multiply = "mul"
        case divide = "div"
        case remainder = "mod"
    }

    /// A function that a filter can call.
    ///
    /// Offsets and lengths in strings are counted in Unicode scalars, from 0.
    package enum Function: String, Sendable, Hashable, CaseIterable {
        case startsWith = "startswith"
        case endsWith = "endswith"
        /// Whether the first string contains the second.
        case contains
        /// Whether the second string contains the first.
        case substringOf = "substringof"
        /// The offset of the second string in the first; -1 if the first doesn't contain the second.
        case indexOf = "indexof"
        case length
        case toLower = "tolower"
        case toUpper = "toupper"
        case trim
        /// The first string with each occurrence of the second, in the same case, replaced by the third.
        case replace
        case substring
        case concat
        /// The parts of a time in UTC.
        case year, month, day, hour, minute, second
        case floor, ceiling
        /// Rounds to the nearest integer, and rounds halves away from zero.
        case round
    }
}

/// A property of a record that a filter or an order can use.
package enum RecordProperty: Sendable, Hashable {
    case id
    /// The version; versions sort in the order of their assignment.
    case version
    case createdAt
    case updatedAt
    case deleted
    /// A field, or a member of a field that is a mapping; null if it doesn't exist.
    case field([String])
}

/// The names of the system properties in the tables protocol.
package enum Flavor: Sendable, Hashable, CaseIterable {
    /// The names are `__version`, `__createdAt`, `__updatedAt` and `__deleted`.
    case v1
    /// The names are the same, but without the underscores.
    case v2
}

/// The reason why a `$filter` or `$orderby` can't be used.
package struct ODataProblem: Error, Sendable, Hashable {
    /// The description of the problem and its position.
    package let message: String
    /// The offset in the text, in bytes.
    package let offset: Int

    package init(message: String, offset: Int) {
        self.message = message
        self.offset = offset
    }
}
