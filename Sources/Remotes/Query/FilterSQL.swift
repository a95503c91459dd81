internal import LosslessYAML
internal import TodoModel

/// A condition in SQL, with the values for its numbered parameters; no text of a client is in the SQL.
///
/// It is for rows of `record` that have a column `field_values`, valid JSON, in place of `fields`.
struct FilterSQL {
    private(set) var parameters: [SQLParameter]

    /// The length of a condition at most: some forms need a part of theirs twice, and parts have parts.
    private static let maximumSize = 500_000

    /// The parameter with the key of the table whose records are meant.
    let table = "?1"

    init(table: TableRow) { parameters = [.integer(table.key)] }

    /// Returns an expression that is 1, 0 or null.
    mutating func condition(_ filter: FilterExpression) throws(ODataProblem) -> String {
        try value(of: filter, as: .boolean)
    }

    /// Returns the terms for `ORDER BY`; two records are never equal in all.
    mutating func order(_ orders: [RecordOrder]) -> String {
        var terms: [String] = []
        for order in orders {
            let direction = order.isDescending ? " DESC" : ""
            switch order.property {
            case .id: terms.append("id COLLATE \(SQLFunctions.caseInsensitive)\(direction)")
            case .version: terms.append("version\(direction)")
            case .updatedAt: terms.append("updated_at\(direction)")
            case .createdAt: terms.append("created_at\(direction)")
            case .deleted: terms.append("deleted\(direction)")
            case .field(let names):
                let scalar = field(names).scalar
                terms.append("\(scalar) COLLATE \(SQLFunctions.caseInsensitive)\(direction)")
            }
            // Nothing that follows has a say; and SQLite uses the index of what stands alone.
            if order.property.isUnique { return terms.joined(separator: ", ") }
        }
        return (terms + ["id"]).joined(separator: ", ")
    }

    mutating func parameter(_ parameter: SQLParameter) -> String {
        parameters.append(parameter)
        return "?\(parameters.count)"
    }

    private func checked(_ sql: String) throws(ODataProblem) -> String {
        guard sql.utf8.count <= Self.maximumSize else {
            throw ODataProblem(message: "the expression is too complex", offset: 0)
        }
        return sql
    }
}

extension RecordProperty {
    /// Whether no two records of a table have the same.
    fileprivate var isUnique: Bool {
        switch self {
        case .id, .version, .updatedAt: true
        case .createdAt, .deleted, .field: false
        }
    }
}

// MARK: - Values

extension FilterSQL {
    /// Returns an expression for a value of a type; null where the value has another type.
    private mutating func value(
        of expression: FilterExpression, as type: ExpressionType
    ) throws(ODataProblem) -> String {
        if case .property(.field(let names)) = expression { return field(names).value(as: type) }
        switch (expression.type, type) {
        case (let own, type) where own == type: return try value(of: expression)
        case (.string, .instant): return "\(SQLFunctions.instant)(\(try value(of: expression)))"
        default: return "NULL"
        }
    }

    /// Returns an expression for a value of the type that the expression has by itself.
    mutating func value(of expression: FilterExpression) throws(ODataProblem) -> String {
        let sql =
            switch expression {
            case .literal(let literal): value(of: literal)
            case .property(let property): value(of: property)
            case .and(let parts): try joined(parts, by: "AND", none: "1")
            case .or(let parts): try joined(parts, by: "OR", none: "0")
            case .not(let part): "(NOT \(try value(of: part, as: .boolean)))"
            case .comparison(let comparison, let left, let right): try compare(comparison, left, right)
            case .arithmetic(let arithmetic, let left, let right):
                arithmetic.sql(try value(of: left, as: .number), try value(of: right, as: .number))
            case .negative(let part): "(-\(try value(of: part, as: .number)))"
            case .call(let function, let arguments): try call(function, arguments)
            }
        return try checked(sql)
    }

    /// Joins parts as a balanced tree: SQLite takes a thousand levels at most.
    private mutating func joined(
        _ parts: [FilterExpression], by word: String, none: String
    ) throws(ODataProblem) -> String {
        var terms: [String] = []
        for part in parts { terms.append(try value(of: part, as: .boolean)) }
        while terms.count > 1 {
            terms = stride(from: 0, to: terms.count, by: 2).map { index in
                index + 1 < terms.count ? "(\(terms[index]) \(word) \(terms[index + 1]))" : terms[index]
            }
        }
        return terms.first ?? none
    }

    private mutating func value(of literal: FilterExpression.Literal) -> String {
        switch literal {
        case .null: "NULL"
        case .bool(let bool): bool ? "1" : "0"
        case .number(let number): parameter(SQLParameter(number))
        case .string(let string), .guid(let string): parameter(.string(string))
        case .instant(let instant): parameter(.string(InstantText(instant).string))
        }
    }

    private mutating func value(of property: RecordProperty) -> String {
        switch property {
        case .id: "id"
        case .version: "\(SQLFunctions.version)(version)"
        case .createdAt: "\(SQLFunctions.instant)(created_at)"
        case .updatedAt: "\(SQLFunctions.instant)(updated_at)"
        case .deleted: "deleted"
        case .field(let names): field(names).value
        }
    }

    private mutating func call(
        _ function: FilterExpression.Function, _ arguments: [FilterExpression]
    ) throws(ODataProblem) -> String {
        var values: [String] = []
        for (argument, type) in zip(arguments, function.argumentTypes) {
            values.append(try value(of: argument, as: type))
        }
        guard function.argumentCounts.contains(values.count) else { return "NULL" }
        return function.sql(values)
    }
}

extension SQLParameter {
    fileprivate init(_ number: Number) {
        if let integer = Int64(number.json) {
            self = .integer(integer)
        } else {
            self = Double(number.json).map { .real($0) } ?? .null
        }
    }
}

// MARK: - Fields

/// A field's value in SQL, and the name that SQLite's JSON functions have for its type.
struct FieldSQL {
    let value: String
    let type: String

    /// Returns the value if it has a type, null otherwise.
    func value(as type: ExpressionType) -> String {
        switch type {
        case .boolean: "CASE \(self.type) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END"
        case .number: "CASE WHEN \(self.type) IN ('integer', 'real') THEN \(value) END"
        case .string: "CASE WHEN \(self.type) = 'text' THEN \(value) END"
        case .instant: "CASE WHEN \(self.type) = 'text' THEN \(SQLFunctions.instant)(\(value)) END"
        case .null, .any: value
        }
    }

    /// Returns whether the value has a type; a text may yet be no instant.
    func has(_ type: ExpressionType) -> String {
        switch type {
        case .boolean: "\(self.type) IN ('true', 'false')"
        case .number: "\(self.type) IN ('integer', 'real')"
        case .string, .instant: "\(self.type) = 'text'"
        case .null, .any: "0"
        }
    }

    /// The value, null for a list and a mapping.
    var scalar: String { "CASE WHEN \(type) NOT IN ('array', 'object') THEN \(value) END" }

    var isNull: String { "ifnull(\(type), 'null') = 'null'" }
}

extension FilterSQL {
    mutating func field(_ names: [String]) -> FieldSQL {
        guard names.allSatisfy({ !$0.utf8.contains { "\"\\\u{0}".utf8.contains($0) } }) else {
            return fieldByKeys(names)
        }
        let path = parameter(.string("$" + names.map { ".\"\($0)\"" }.joined()))
        return FieldSQL(
            value: "json_extract(field_values, \(path))", type: "json_type(field_values, \(path))")
    }

    /// A name with a quotation mark can't be said in a path of SQLite's.
    private mutating func fieldByKeys(_ names: [String]) -> FieldSQL {
        var parent = "field_values"
        var field = FieldSQL(value: "NULL", type: "NULL")
        for name in names {
            let key = parameter(.string(name))
            field = FieldSQL(
                value: "(SELECT value FROM json_each(\(parent)) WHERE key = \(key))",
                type: "(SELECT type FROM json_each(\(parent)) WHERE key = \(key))")
            parent = "CASE WHEN \(field.type) = 'object' THEN \(field.value) END"
        }
        return field
    }
}
