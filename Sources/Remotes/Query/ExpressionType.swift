/// The type of an expression's value if it is not null.
enum ExpressionType: Hashable {
    case boolean, number, string, instant
    /// The value is always null.
    case null
    /// A field, whose type can differ between records.
    case any

    /// Returns whether a value of this type can be used as another type.
    func canBe(_ other: ExpressionType) -> Bool {
        self == other || self == .any || self == .null || (self == .string && other == .instant)
    }

    /// The type's name in messages.
    var name: String {
        switch self {
        case .boolean: "a condition"
        case .number: "a number"
        case .string: "a string"
        case .instant: "a time"
        case .null, .any: "a value"
        }
    }
}

extension FilterExpression {
    var type: ExpressionType {
        switch self {
        case .literal(let literal): literal.type
        case .property(let property): property.type
        case .and, .or, .not, .comparison: .boolean
        case .arithmetic, .negative: .number
        case .call(let function, _): function.type
        }
    }
}

extension FilterExpression.Literal {
    var type: ExpressionType {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .number: .number
        case .string, .guid: .string
        case .instant: .instant
        }
    }
}

extension RecordProperty {
    var type: ExpressionType {
        switch self {
        case .id, .version: .string
        case .createdAt, .updatedAt: .instant
        case .deleted: .boolean
        case .field: .any
        }
    }
}

extension FilterExpression.Function {
    var type: ExpressionType {
        switch self {
        case .startsWith, .endsWith, .contains, .substringOf: .boolean
        case .toLower, .toUpper, .trim, .replace, .substring, .concat: .string
        case .indexOf, .length, .year, .month, .day, .hour, .minute, .second, .floor, .ceiling, .round:
            .number
        }
    }

    /// The types of the arguments, including optional ones at the end.
    var argumentTypes: [ExpressionType] {
        switch self {
        case .startsWith, .endsWith, .contains, .substringOf, .indexOf, .concat: [.string, .string]
        case .length, .toLower, .toUpper, .trim: [.string]
        case .replace: [.string, .string, .string]
        case .substring: [.string, .number, .number]
        case .year, .month, .day, .hour, .minute, .second: [.instant]
        case .floor, .ceiling, .round: [.number]
        }
    }

    var argumentCounts: ClosedRange<Int> {
        let most = argumentTypes.count
        return (self == .substring ? most - 1 : most)...most
    }
}
