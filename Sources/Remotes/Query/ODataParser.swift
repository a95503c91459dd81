internal import LosslessYAML
internal import TodoModel

extension FilterExpression {
    /// Parses a `$filter` of the tables protocol (the subset of OData 3.0 that its clients use).
    ///
    /// - Throws: ``ODataProblem`` if the filter is invalid, has an argument of the wrong type, or exceeds 64
    ///   levels or 16 KiB.
    package init(odata text: String, flavor: Flavor) throws(ODataProblem) {
        var parser = try ODataParser(text, flavor: flavor)
        let operand = try parser.parseOr()
        try parser.expect(operand, is: .boolean, in: "a filter")
        guard parser.lexer.token == .end else { throw parser.unexpected() }
        self = operand.expression
    }
}

extension RecordOrder {
    /// The maximum number of properties of an order.
    static let maximumCount = 20

    /// Parses an `$orderby`: properties with `asc` or `desc`, separated by commas.
    ///
    /// - Throws: ``ODataProblem`` if the order is invalid, or exceeds ``maximumCount`` properties or 16 KiB.
    package static func list(odata text: String, flavor: Flavor) throws(ODataProblem) -> [RecordOrder] {
        var parser = try ODataParser(text, flavor: flavor)
        var orders: [RecordOrder] = []
        while true {
            let property = try parser.parseProperty()
            let isDescending = parser.lexer.token == .identifier("desc")
            if isDescending || parser.lexer.token == .identifier("asc") { try parser.lexer.advance() }
            orders.append(RecordOrder(property: property, isDescending: isDescending))
            guard parser.lexer.token == .comma else { break }
            guard orders.count < maximumCount else {
                throw parser.lexer.problem("more than \(maximumCount) properties", at: parser.lexer.offset)
            }
            try parser.lexer.advance()
        }
        guard parser.lexer.token == .end else { throw parser.unexpected() }
        return orders
    }
}

/// Parses expressions by recursive descent, and checks the types of operands and arguments.
struct ODataParser {
    /// The maximum number of levels of an expression, including parentheses.
    static let maximumDepth = 64

    fileprivate(set) var lexer: ODataLexer
    private let flavor: Flavor
    /// The number of open parentheses, functions and signs.
    private var openLevels = 0

    init(_ text: String, flavor: Flavor) throws(ODataProblem) {
        lexer = try ODataLexer(text)
        self.flavor = flavor
    }

    /// A part of an expression and its type.
    struct Operand {
        var expression: FilterExpression
        var offset: Int
        var depth: Int
    }

    func unexpected() -> ODataProblem {
        let what =
            switch lexer.token {
            case .end: "unexpected end"
            case .identifier(let word): "unexpected '\(word.prefix(40))'"
            default: "unexpected text"
            }
        return lexer.problem(what, at: lexer.offset)
    }

    func expect(_ operand: Operand, is type: ExpressionType, in what: String) throws(ODataProblem) {
        if operand.expression.type.canBe(type) { return }
        throw lexer.problem("\(what) needs \(type.name)", at: operand.offset)
    }

    private func combined(
        _ expression: FilterExpression, of operands: [Operand]
    ) throws(ODataProblem) -> Operand {
        let depth = 1 + (operands.map(\.depth).max() ?? 0)
        let offset = operands.first?.offset ?? lexer.offset
        guard depth <= Self.maximumDepth else { throw tooDeep(at: offset) }
        return Operand(expression: expression, offset: offset, depth: depth)
    }

    private func tooDeep(at offset: Int) -> ODataProblem {
        lexer.problem("more than \(Self.maximumDepth) levels", at: offset)
    }

    private mutating func enterLevel() throws(ODataProblem) {
        openLevels += 1
        guard openLevels <= Self.maximumDepth else { throw tooDeep(at: lexer.offset) }
    }
}

// MARK: - Operators, from the loosest to the tightest

extension ODataParser {
    mutating func parseOr() throws(ODataProblem) -> Operand {
        var operands = [try parseAnd()]
        while try take(operators: ["or": ()]) != nil { operands.append(try parseAnd()) }
        return try joined(operands, by: "or", FilterExpression.or)
    }

    private mutating func parseAnd() throws(ODataProblem) -> Operand {
        var operands = [try parseComparison()]
        while try take(operators: ["and": ()]) != nil { operands.append(try parseComparison()) }
        return try joined(operands, by: "and", FilterExpression.and)
    }

    private func joined(
        _ operands: [Operand], by word: String, _ make: ([FilterExpression]) -> FilterExpression
    ) throws(ODataProblem) -> Operand {
        if operands.count == 1 { return operands[0] }
        for operand in operands { try expect(operand, is: .boolean, in: "'\(word)'") }
        return try combined(make(operands.map(\.expression)), of: operands)
    }

    private mutating func parseComparison() throws(ODataProblem) -> Operand {
        var left = try parseSum()
        while let comparison = try take(operators: Self.comparisons) {
            let right = try parseSum()
            left = try combined(
                .comparison(comparison, left.expression, right.expression), of: [left, right])
        }
        return left
    }

    private mutating func parseSum() throws(ODataProblem) -> Operand {
        var left = try parseProduct()
        while let arithmetic = try take(operators: Self.sums) {
            left = try calculated(arithmetic, left, try parseProduct())
        }
        return left
    }

    private mutating func parseProduct() throws(ODataProblem) -> Operand {
        var left = try parseUnary()
        while let arithmetic = try take(operators: Self.products) {
            left = try calculated(arithmetic, left, try parseUnary())
        }
        return left
    }

    private func calculated(
        _ arithmetic: FilterExpression.Arithmetic, _ left: Operand, _ right: Operand
    ) throws(ODataProblem) -> Operand {
        for operand in [left, right] { try expect(operand, is: .number, in: "'\(arithmetic.rawValue)'") }
        return try combined(.arithmetic(arithmetic, left.expression, right.expression), of: [left, right])
    }

    private mutating func parseUnary() throws(ODataProblem) -> Operand {
        let isNegative = lexer.token == .minus
        guard isNegative || lexer.token == .identifier("not") else { return try parsePrimary() }
        try enterLevel()
        defer { openLevels -= 1 }
        try lexer.advance()
        let operand = try parseUnary()
        try expect(operand, is: isNegative ? .number : .boolean, in: isNegative ? "'-'" : "'not'")
        return try combined(
            isNegative ? .negative(operand.expression) : .not(operand.expression), of: [operand])
    }

    private static let comparisons = words(FilterExpression.Comparison.allCases)
    private static let sums = words([FilterExpression.Arithmetic.add, .subtract])
    private static let products = words([FilterExpression.Arithmetic.multiply, .divide, .remainder])

    private static func words<Operator: RawRepresentable<String>>(
        _ operators: [Operator]
    ) -> [String: Operator] {
        Dictionary(uniqueKeysWithValues: operators.map { ($0.rawValue, $0) })
    }

    /// Consumes the next token if it is one of the given operators.
    private mutating func take<Operator>(
        operators: [String: Operator]
    ) throws(ODataProblem) -> Operator? {
        guard case .identifier(let word) = lexer.token, let found = operators[word] else { return nil }
        try lexer.advance()
        return found
    }
}

// MARK: - Operands

extension ODataParser {
    private mutating func parsePrimary() throws(ODataProblem) -> Operand {
        let offset = lexer.offset
        switch lexer.token {
        case .literal(let literal):
            try lexer.advance()
            return Operand(expression: .literal(literal), offset: offset, depth: 1)
        case .openParenthesis:
            try enterLevel()
            defer { openLevels -= 1 }
            try lexer.advance()
            let operand = try parseOr()
            try take(.closeParenthesis)
            return operand
        case .identifier(let word):
            if lexer.isBeforeParenthesis { return try parseCall(of: word) }
            if let literal = Self.literals[word] {
                try lexer.advance()
                return Operand(expression: .literal(literal), offset: offset, depth: 1)
            }
            return Operand(expression: .property(try parseProperty()), offset: offset, depth: 1)
        default: throw unexpected()
        }
    }

    private static let literals: [String: FilterExpression.Literal] = [
        "null": .null, "true": .bool(true), "false": .bool(false),
    ]

    private mutating func take(_ token: ODataToken) throws(ODataProblem) {
        guard lexer.token == token else { throw unexpected() }
        try lexer.advance()
    }

    private mutating func parseCall(of name: String) throws(ODataProblem) -> Operand {
        let offset = lexer.offset
        guard let function = FilterExpression.Function(rawValue: name) else {
            throw lexer.problem("unknown function '\(name.prefix(40))'", at: offset)
        }
        try enterLevel()
        defer { openLevels -= 1 }
        try lexer.advance()
        try lexer.advance()
        var arguments = [try parseOr()]
        while lexer.token == .comma {
            try lexer.advance()
            arguments.append(try parseOr())
        }
        try take(.closeParenthesis)
        guard function.argumentCounts.contains(arguments.count) else {
            throw lexer.problem("'\(name)' has the wrong number of arguments", at: offset)
        }
        for (argument, type) in zip(arguments, function.argumentTypes) {
            try expect(argument, is: type, in: "'\(name)'")
        }
        var call = try combined(.call(function, arguments.map(\.expression)), of: arguments)
        call.offset = offset
        return call
    }

    mutating func parseProperty() throws(ODataProblem) -> RecordProperty {
        var names: [String] = []
        while true {
            guard case .identifier(let name) = lexer.token else { throw unexpected() }
            names.append(name)
            guard names.count <= Self.maximumDepth else { throw tooDeep(at: lexer.offset) }
            try lexer.advance()
            guard lexer.token == .slash else { break }
            try lexer.advance()
        }
        return systemProperty(names) ?? .field(names)
    }

    private func systemProperty(_ names: [String]) -> RecordProperty? {
        guard names.count == 1 else { return nil }
        if names[0] == FieldName.id { return .id }
        // These names are reserved in uppercase and lowercase, so they never name fields.
        let name = names[0].lowercased()
        switch flavor {
        case .v1: return name.hasPrefix("__") ? Self.systemProperties[String(name.dropFirst(2))] : nil
        case .v2: return Self.systemProperties[name]
        }
    }

    private static let systemProperties: [String: RecordProperty] = [
        "version": .version, "createdat": .createdAt, "updatedat": .updatedAt, "deleted": .deleted,
    ]
}

// MARK: - Types

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
