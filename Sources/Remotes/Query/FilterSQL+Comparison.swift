internal import TodoModel

extension FilterSQL {
    mutating func compare(
        _ comparison: FilterExpression.Comparison, _ left: FilterExpression, _ right: FilterExpression
    ) throws(ODataProblem) -> String {
        if right == .literal(.null) { return try compareWithNull(comparison, left) }
        if left == .literal(.null) { return try compareWithNull(comparison, right) }
        if let sql = column(left, comparison, right) ?? column(right, comparison.mirrored, left) {
            return sql
        }
        switch (left, right) {
        case (.property(.field(let left)), .property(.field(let right))):
            return compare(comparison, field(left), field(right))
        case (.property(.field(let names)), _):
            return compare(comparison, field(names), try value(of: right), right)
        case (_, .property(.field(let names))):
            return compare(comparison.mirrored, field(names), try value(of: left), left)
        default:
            let (first, second) = (try value(of: left), try value(of: right))
            return compareTyped(comparison, (first, left.type), (second, right.type))
        }
    }

    private mutating func compareWithNull(
        _ comparison: FilterExpression.Comparison, _ expression: FilterExpression
    ) throws(ODataProblem) -> String {
        guard comparison == .equal || comparison == .notEqual else { return "NULL" }
        let isNull =
            if case .property(.field(let names)) = expression { field(names).isNull } else {
                "\(try value(of: expression)) IS NULL"
            }
        return comparison == .equal ? "(\(isNull))" : "(NOT (\(isNull)))"
    }

    /// Compares two fields, whose types are known only record by record.
    private func compare(
        _ comparison: FilterExpression.Comparison, _ left: FieldSQL, _ right: FieldSQL
    ) -> String {
        var branches = "WHEN \(left.isNull) OR \(right.isNull) THEN NULL"
        for type in [ExpressionType.string, .number, .boolean] {
            branches += " WHEN \(left.has(type)) AND \(right.has(type))"
            branches += " THEN \(comparison.sql(left.value, right.value, type))"
        }
        return "CASE \(branches) ELSE \(comparison.ofDifferentTypes) END"
    }

    /// Compares a field with what has a type.
    private func compare(
        _ comparison: FilterExpression.Comparison, _ field: FieldSQL, _ other: String,
        _ expression: FilterExpression
    ) -> String {
        let type = expression.type
        let value = type == .instant ? "\(SQLFunctions.instant)(\(field.value))" : field.value
        var result = comparison.sql(value, other, type)
        // Only a literal and a column are sure not to be null.
        var differing = comparison.ofDifferentTypes
        if type == .instant {
            result = "ifnull(\(result), \(differing))"
        } else if !expression.isNeverNull {
            differing = "CASE WHEN \(other) IS NOT NULL THEN \(differing) END"
        }
        return """
            CASE WHEN \(field.has(type)) THEN \(result) \
            WHEN \(field.isNull) THEN NULL ELSE \(differing) END
            """
    }

    private func compareTyped(
        _ comparison: FilterExpression.Comparison, _ left: (sql: String, type: ExpressionType),
        _ right: (sql: String, type: ExpressionType)
    ) -> String {
        if left.type == right.type { return comparison.sql(left.sql, right.sql, left.type) }
        let differing = comparison.ofDifferentTypes
        let known = "\(left.sql) IS NOT NULL AND \(right.sql) IS NOT NULL"
        switch (left.type, right.type) {
        case (.string, .instant):
            let result = comparison.sql("\(SQLFunctions.instant)(\(left.sql))", right.sql, .instant)
            return "CASE WHEN \(known) THEN ifnull(\(result), \(differing)) END"
        case (.instant, .string): return compareTyped(comparison.mirrored, right, left)
        default: return "CASE WHEN \(known) THEN \(differing) END"
        }
    }
}

// MARK: - Columns

extension FilterSQL {
    /// Returns a comparison of a column with a literal, which an index may answer; nil for all others.
    private mutating func column(
        _ left: FilterExpression, _ comparison: FilterExpression.Comparison, _ right: FilterExpression
    ) -> String? {
        switch (left, right) {
        case (.property(.id), .literal(.string(let string))):
            return compareID(comparison, string)
        case (.property(.version), .literal(.string(let string))):
            guard let version = RecordVersion(Version(string)) else { return comparison.ofDifferentTypes }
            return "(version \(comparison.sql) \(parameter(.integer(version.bits))))"
        case (.property(.createdAt), .literal(.instant(let instant))):
            return compareMilliseconds("created_at", comparison, instant)
        case (.property(.updatedAt), .literal(.instant(let instant))):
            return compareMilliseconds("updated_at", comparison, instant)
        default: return nil
        }
    }

    /// Compares ids without regard to case, in which two ids of a table never differ alone.
    private mutating func compareID(
        _ comparison: FilterExpression.Comparison, _ string: String
    ) -> String {
        let isEqual = comparison == .equal
        guard isEqual || comparison == .notEqual else {
            return
                "(id \(comparison.sql) \(parameter(.string(string))) COLLATE \(SQLFunctions.caseInsensitive))"
        }
        // In this form the indexes on both columns answer it.
        let folded = parameter(.string(string.lowercased()))
        return """
            (id \(isEqual ? "IN" : "NOT IN") (SELECT \(folded) UNION ALL \
            SELECT id FROM record WHERE todo_table = \(table) AND folded_id = \(folded)))
            """
    }

    /// Compares with an instant exactly, also where that is between two milliseconds.
    private mutating func compareMilliseconds(
        _ column: String, _ comparison: FilterExpression.Comparison, _ instant: Due.Instant
    ) -> String {
        let digits = instant.fraction.utf8.map { Int64($0 - UInt8(ascii: "0")) }
        let milliseconds = (0..<3).reduce(0) { $0 * 10 + ($1 < digits.count ? digits[$1] : 0) }
        var sql = comparison.sql
        if digits.count > 3 {
            switch comparison {
            case .equal, .notEqual: return comparison.ofDifferentTypes
            case .greater, .greaterOrEqual: sql = ">"
            case .less, .lessOrEqual: sql = "<="
            }
        }
        return "(\(column) \(sql) \(parameter(.integer(Int64(instant.seconds) * 1000 + milliseconds))))"
    }
}

extension FilterExpression {
    fileprivate var isNeverNull: Bool {
        switch self {
        case .literal(let literal): literal != .null
        case .property(let property): property.type != .any
        default: false
        }
    }
}

extension FilterExpression.Comparison {
    var sql: String {
        switch self {
        case .equal: "="
        case .notEqual: "<>"
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .less: "<"
        case .lessOrEqual: "<="
        }
    }

    /// The comparison that says the same with its sides exchanged.
    var mirrored: Self {
        switch self {
        case .equal, .notEqual: self
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        }
    }

    /// What comes of comparing values of different types.
    var ofDifferentTypes: String { self == .notEqual ? "1" : "0" }

    /// Returns the comparison of two values of one type.
    fileprivate func sql(_ left: String, _ right: String, _ type: ExpressionType) -> String {
        let collation = type == .string ? " COLLATE \(SQLFunctions.caseInsensitive)" : ""
        return "(\(left) \(sql) \(right)\(collation))"
    }
}

// MARK: - Operators and functions

extension FilterExpression.Arithmetic {
    func sql(_ left: String, _ right: String) -> String {
        switch self {
        case .add: "(\(left) + \(right))"
        case .subtract: "(\(left) - \(right))"
        case .multiply: "(\(left) * \(right))"
        case .divide: "(\(left) / \(right))"
        case .remainder: "\(SQLFunctions.remainder)(\(left), \(right))"
        }
    }
}

extension FilterExpression.Function {
    func sql(_ arguments: [String]) -> String {
        let first = arguments[0]
        switch self {
        case .startsWith: return "(\(place(of: arguments[1], in: first)) = 1)"
        case .endsWith: return "\(SQLFunctions.endsWith)(\(lower(first)), \(lower(arguments[1])))"
        case .contains: return "(\(place(of: arguments[1], in: first)) > 0)"
        case .substringOf: return "(\(place(of: first, in: arguments[1])) > 0)"
        case .indexOf: return "(\(place(of: arguments[1], in: first)) - 1)"
        case .length: return "length(\(first))"
        case .toLower: return lower(first)
        case .toUpper: return "\(SQLFunctions.upper)(\(first))"
        case .trim: return "trim(\(first), \(Self.whitespace))"
        case .replace: return "replace(\(first), \(arguments[1]), \(arguments[2]))"
        case .substring:
            let rest = arguments.dropFirst(2).map { ", \(count($0))" }.joined()
            return "substr(\(first), \(count(arguments[1])) + 1\(rest))"
        case .concat: return "(\(first) || \(arguments[1]))"
        case .year: return part(.year, of: first)
        case .month: return part(.month, of: first)
        case .day: return part(.day, of: first)
        case .hour: return part(.hour, of: first)
        case .minute: return part(.minute, of: first)
        case .second: return part(.second, of: first)
        case .floor: return "\(SQLFunctions.floor)(\(first))"
        case .ceiling: return "\(SQLFunctions.ceiling)(\(first))"
        case .round: return "\(SQLFunctions.round)(\(first))"
        }
    }

    private func lower(_ text: String) -> String { "\(SQLFunctions.lower)(\(text))" }

    /// Where a text begins in another one, from 1, without regard to case; 0 where it does not.
    private func place(of text: String, in other: String) -> String {
        "instr(\(lower(other)), \(lower(text)))"
    }

    /// A number as a place or a length: SQLite takes negative ones from the end, and large ones wrap around.
    private func count(_ number: String) -> String { "min(max(CAST(\(number) AS INTEGER), 0), 1000000000)" }

    private func part(_ part: InstantText.CalendarPart, of instant: String) -> String {
        "\(SQLFunctions.calendarPart)(\(instant), \(part.rawValue))"
    }

    /// The characters that have Unicode's property White_Space, as an expression.
    private static let whitespace =
        "char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, "
        + "8201, 8202, 8232, 8233, 8239, 8287, 12288)"
}
