import LosslessYAML
import Remotes
import TestSupport
import TodoModel
import Values

/// Generates random records, filters and orders.
struct RandomFilter {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    private static let names = ["a", "b", "c", "d", "e/f", "g\"h"]
    static let strings = [
        "", "a", "A", "b", "Ab", "aB ab", "ä", "Ä b", "á", "a\u{301}b", "az", "Todo 7", "TODO 12", "ß",
        "100%", "a_b", " a\u{A0}", "\u{1F600}a", "it's",
        "2026-12-01", "2026-12-01T10:20:30Z", "2026-12-01T12:20:30.000+02:00", "1999-12-31T23:59:59.9999Z",
        "5",
        "true", "\"\\",
    ]
    private static let numbers = [
        "0", "1", "-1", "2", "3", "1.5", "-2.5", "2.5", "1e3", "1000.5", "0.1", "-7",
    ]
    private static let times = [
        "2026-12-01T00:00:00Z", "2026-12-01T10:20:30Z", "2026-12-01T10:20:30.0001Z",
        "1999-12-31T23:59:59.999Z",
        "1970-01-01T00:16:40.0019999Z", "1970-01-01T00:16:40.002Z",
    ]

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    // MARK: Records

    mutating func fields() -> Mapping {
        var fields: Mapping = ["text": .string(pick(Self.strings))]
        for name in Self.names where generator.chance(0.8) {
            let parts = name.split(separator: "/").map(String.init)
            let value = value()
            fields[parts[0]] = parts.count == 1 ? value : .mapping([parts[1]: value])
        }
        return fields
    }

    private mutating func value() -> Value {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: .null
        case 1: .bool(generator.chance(0.5))
        case 2: .list([.string("a")])
        case 3: .mapping(["f": .string("a")])
        case 4...6: Number(json: pick(Self.numbers)).map { .number($0) } ?? .null
        default: .string(pick(Self.strings))
        }
    }

    // MARK: Filters

    /// Returns a filter, often with conditions on columns, for the given records.
    mutating func filter(of records: [StoredRecord]) -> FilterExpression {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return condition(depth: 4)
        case 1: return .and([columnComparison(with: pick(records)), condition(depth: 2)])
        case 2: return .not(filter(of: records))
        case 3: return .and((0..<2).map { _ in filter(of: records) })
        case 4: return .or((0..<2).map { _ in filter(of: records) })
        default: return columnComparison(with: pick(records))
        }
    }

    /// Compares a column with a record's value or one close to it.
    private mutating func columnComparison(with record: StoredRecord) -> FilterExpression {
        let fraction = pick(["", "001", "000000001"])
        func instant(_ milliseconds: Int64) -> FilterExpression.Literal {
            let text = Instant(milliseconds: milliseconds).internetTime.dropLast() + fraction + "Z"
            return Instant(String(text)).map(FilterExpression.Literal.instant) ?? .null
        }
        let id = record.record.id
        let (property, literal): (RecordProperty, FilterExpression.Literal) =
            switch Int.random(in: 0..<8, using: &generator) {
            case 0...1: (.id, .string(pick([id, id.uppercased(), id.lowercased(), "none"])))
            case 2: (.id, .guid(id.uppercased()))
            case 3: (.version, .string(pick([record.record.version.string, "none"])))
            case 4: (.createdAt, instant(record.createdAt))
            case 5: (.deleted, .bool(generator.chance(0.5)))
            default: (.updatedAt, instant(record.updatedAt))
            }
        if property == .deleted, generator.chance(0.5) { return .property(.deleted) }
        let comparison = pick(FilterExpression.Comparison.allCases)
        return generator.chance(0.5)
            ? .comparison(comparison, .property(property), .literal(literal))
            : .comparison(comparison, .literal(literal), .property(property))
    }

    private mutating func property() -> FilterExpression {
        .property(.field(pick(Self.names).split(separator: "/").map(String.init)))
    }

    mutating func condition(depth: Int) -> FilterExpression {
        guard depth > 0 else {
            return generator.chance(0.6) ? property() : .literal(generator.chance(0.8) ? .bool(true) : .null)
        }
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return .and(conditions(depth: depth - 1))
        case 1: return .or(conditions(depth: depth - 1))
        case 2: return .not(condition(depth: depth - 1))
        case 3:
            let functions: [FilterExpression.Function] = [.startsWith, .endsWith, .contains, .substringOf]
            return .call(pick(functions), [string(depth: depth - 1), string(depth: depth - 1)])
        default:
            return .comparison(
                pick(FilterExpression.Comparison.allCases), anything(depth: depth - 1),
                anything(depth: depth - 1))
        }
    }

    private mutating func conditions(depth: Int) -> [FilterExpression] {
        (0..<Int.random(in: 2...5, using: &generator)).map { _ in condition(depth: depth) }
    }

    private mutating func anything(depth: Int) -> FilterExpression {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: .literal(.null)
        case 1: .property(pick([.id, .createdAt, .updatedAt, .deleted]))
        case 2: condition(depth: depth - 1)
        case 3...4: number(depth: depth)
        case 5...6: string(depth: depth)
        case 7: instant()
        default: property()
        }
    }

    private mutating func number(depth: Int) -> FilterExpression {
        guard depth > 0, generator.chance(0.6) else {
            if generator.chance(0.4) { return property() }
            return Number(json: pick(Self.numbers)).map { .literal(.number($0)) } ?? .literal(.null)
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .negative(number(depth: depth - 1))
        case 1: return .call(pick([.floor, .ceiling, .round]), [number(depth: depth - 1)])
        case 2: return .call(.length, [string(depth: depth - 1)])
        case 3: return .call(.indexOf, [string(depth: depth - 1), string(depth: depth - 1)])
        case 4: return .call(pick([.year, .month, .day, .hour, .minute, .second]), [time(depth: depth - 1)])
        default:
            return .arithmetic(
                pick(FilterExpression.Arithmetic.allCases), number(depth: depth - 1), number(depth: depth - 1)
            )
        }
    }

    private mutating func string(depth: Int) -> FilterExpression {
        guard depth > 0, generator.chance(0.5) else {
            return generator.chance(0.5) ? property() : .literal(.string(pick(Self.strings)))
        }
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: return .call(pick([.toLower, .toUpper, .trim]), [string(depth: depth - 1)])
        case 1: return .call(.concat, [string(depth: depth - 1), string(depth: depth - 1)])
        case 2: return .call(.replace, (0..<3).map { _ in string(depth: depth - 1) })
        case 3: return .call(.substring, [string(depth: depth - 1), number(depth: depth - 1)])
        default:
            return .call(
                .substring, [string(depth: depth - 1), number(depth: depth - 1), number(depth: depth - 1)])
        }
    }

    private mutating func instant() -> FilterExpression {
        .literal(Instant(pick(Self.times)).map(FilterExpression.Literal.instant) ?? .null)
    }

    private mutating func time(depth: Int) -> FilterExpression {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: .property(pick([.createdAt, .updatedAt]))
        case 1: instant()
        case 2: string(depth: depth)
        default: property()
        }
    }

    mutating func order() -> [RecordOrder] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            let name = pick(["text", "a", "b", "e/f"])
            return RecordOrder(
                property: .field(name.split(separator: "/").map(String.init)),
                isDescending: generator.chance(0.5))
        }
    }
}
