package import LosslessYAML
package import Values

/// A condition on records, or a part of one: the `$filter` of the tables protocol, read.
///
/// Its logic has three values, as SQL's: a comparison with what is null is neither true nor false, except
/// `eq null` and `ne null`. A part of the wrong type, such as the length of a number, is null. Values of
/// different types are not equal, and neither is less than the other. Strings compare without regard to case.
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
        /// Compared as an integer of 64 bits, or else as a binary float.
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

    /// Integers stay integers, also in a division; what is divided by zero is null.
    package enum Arithmetic: String, Sendable, Hashable, CaseIterable {
        case add
        case subtract = "sub"
        case multiply = "mul"
        case divide = "div"
        case remainder = "mod"
    }

    /// Places and lengths in strings are counted in Unicode scalars, from 0.
    package enum Function: String, Sendable, Hashable, CaseIterable {
        case startsWith = "startswith"
        case endsWith = "endswith"
        /// Whether the second string is in the first.
        case contains
        /// Whether the first string is in the second.
        case substringOf = "substringof"
        /// Where the second string begins in the first, -1 if it is not in it.
        case indexOf = "indexof"
        case length
        case toLower = "tolower"
        case toUpper = "toupper"
        case trim
        /// The first string with each place of the second in it, in that case, replaced by the third.
        case replace
        case substring
        case concat
        /// The parts of a time are those in UTC.
        case year, month, day, hour, minute, second
        case floor, ceiling
        /// To the nearest integer; a half away from zero.
        case round
    }
}

/// What a filter or an order can name in a record.
package enum RecordProperty: Sendable, Hashable {
    case id
    /// In the order in which they were given.
    case version
    case createdAt
    case updatedAt
    case deleted
    /// A field, or what is in a field that is a mapping; null where there is none.
    case field([String])
}

/// By which names the tables protocol's clients know the system properties.
package enum Flavour: Sendable, Hashable, CaseIterable {
    /// `__version`, `__createdAt`, `__updatedAt`, `__deleted`.
    case v1
    /// The same without the underscores.
    case v2
}

/// Why a `$filter` or `$orderby` can't be used.
package struct ODataProblem: Error, Sendable, Hashable {
    /// What is wrong, and where.
    package let message: String
    /// The place, as a number of bytes from the text's beginning.
    package let offset: Int

    package init(message: String, offset: Int) {
        self.message = message
        self.offset = offset
    }
}
