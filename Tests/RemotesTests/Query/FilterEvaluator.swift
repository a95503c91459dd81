import Foundation
import LosslessYAML
import Remotes
import TodoModel

/// Says what a filter comes to for one record, by the rules that ``FilterExpression`` states: written for
/// being obviously right, to be compared with what SQLite makes of it.
struct FilterEvaluator {
    let record: StoredRecord

    enum Result: Equatable {
        case null
        case bool(Bool)
        case integer(Int64)
        case real(Double)
        case string(String)
        case instant(Due.Instant)
        /// A list or a mapping, which is like nothing.
        case other
    }

    func result(_ expression: FilterExpression) -> Result {
        switch expression {
        case .literal(let literal): Self.result(literal)
        case .property(let property): result(property)
        case .and(let parts): conjunction(parts.map(condition), absorbing: false)
        case .or(let parts): conjunction(parts.map(condition), absorbing: true)
        case .not(let part): condition(part).map { .bool(!$0) } ?? .null
        case .comparison(let comparison, let left, let right): compare(comparison, left, right)
        case .arithmetic(let arithmetic, let left, let right):
            calculate(arithmetic, number(result(left)), number(result(right)))
        case .negative(let part): calculate(.subtract, .integer(0), number(result(part)))
        case .call(let function, let arguments): call(function, arguments.map(result))
        }
    }

    /// True, false or unknown.
    func condition(_ expression: FilterExpression) -> Bool? {
        if case .bool(let bool) = result(expression) { bool } else { nil }
    }

    private func conjunction(_ parts: [Bool?], absorbing: Bool) -> Result {
        if parts.contains(absorbing) { return .bool(absorbing) }
        return parts.contains(nil) ? .null : .bool(!absorbing)
    }

    private static func result(_ literal: FilterExpression.Literal) -> Result {
        switch literal {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .number(let number): result(number)
        case .string(let string), .guid(let string): .string(string)
        case .instant(let instant): .instant(instant)
        }
    }

    private static func result(_ number: Number) -> Result {
        Int64(number.json).map { .integer($0) } ?? .real(Double(number.json) ?? .nan)
    }

    private func result(_ property: RecordProperty) -> Result {
        switch property {
        case .id: return .string(record.record.id)
        case .version: return .string(record.record.version.string)
        case .createdAt: return Self.time(record.createdAt)
        case .updatedAt: return Self.time(record.updatedAt)
        case .deleted: return .bool(record.record.isDeleted)
        case .field(let names):
            var value = Value.mapping(record.record.fields)
            for name in names {
                guard case .mapping(let mapping) = value, let inner = mapping[name] else { return .null }
                value = inner
            }
            return Self.result(value)
        }
    }

    private static func result(_ value: Value) -> Result {
        switch value {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .number(let number): result(number)
        case .string(let string): .string(string)
        case .list, .mapping: .other
        }
    }

    private static func time(_ milliseconds: Int64) -> Result {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return instant(.string(formatter.string(from: date)))
    }
}

// MARK: - Types

extension FilterEvaluator {
    private func number(_ result: Result) -> Result {
        switch result {
        case .integer, .real: result
        default: .null
        }
    }

    private func string(_ result: Result) -> Result {
        if case .string = result { result } else { .null }
    }

    private static func instant(_ result: Result) -> Result {
        switch result {
        case .instant: return result
        case .string(let string):
            for text in [string, string + "T00:00:00Z"] {
                if case .instant(let instant)? = Due(text) { return .instant(instant) }
            }
            return .null
        default: return .null
        }
    }

    /// Which of two values of one type comes first; nil for values of different types.
    private static func order(_ left: Result, _ right: Result) -> Int? {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.integer(let left), .real(let right)): return order(.real(Double(left)), .real(right))
        case (.real(let left), .integer(let right)): return order(.real(left), .real(Double(right)))
        case (.real(let left), .real(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.string(let left), .string(let right)):
            for key in [withoutAccents, { $0 }] {
                let (left, right) = (Array(key(left.lowercased()).utf8), Array(key(right.lowercased()).utf8))
                if left != right { return left.lexicographicallyPrecedes(right) ? -1 : 1 }
            }
            return 0
        case (.instant(let left), .instant(let right)):
            return left == right ? 0 : Due.instant(left) < Due.instant(right) ? -1 : 1
        case (.instant, .string), (.string, .instant):
            let (left, right) = (instant(left), instant(right))
            return left == .null || right == .null ? nil : order(left, right)
        default: return nil
        }
    }

    private static func withoutAccents(_ text: String) -> String {
        var text = String.UnicodeScalarView(text.decomposedStringWithCanonicalMapping.unicodeScalars)
        text.removeAll { (0x300...0x36F).contains($0.value) }
        return String(text)
    }

    private func compare(
        _ comparison: FilterExpression.Comparison, _ left: FilterExpression, _ right: FilterExpression
    ) -> Result {
        let (first, second) = (result(left), result(right))
        if left == .literal(.null) || right == .literal(.null) {
            let isNull = (left == .literal(.null) ? second : first) == .null
            switch comparison {
            case .equal: return .bool(isNull)
            case .notEqual: return .bool(!isNull)
            default: return .null
            }
        }
        if first == .null || second == .null { return .null }
        guard let order = Self.order(first, second) else { return .bool(comparison == .notEqual) }
        switch comparison {
        case .equal: return .bool(order == 0)
        case .notEqual: return .bool(order != 0)
        case .greater: return .bool(order > 0)
        case .greaterOrEqual: return .bool(order >= 0)
        case .less: return .bool(order < 0)
        case .lessOrEqual: return .bool(order <= 0)
        }
    }

    /// Returns whether the first of two records comes first by a field.
    static func precedes(_ left: Result, _ right: Result) -> Bool {
        func rank(_ result: Result) -> Int {
            switch result {
            case .null, .other: 0
            case .bool, .integer, .real: 1
            default: 2
            }
        }
        func plain(_ result: Result) -> Result {
            if case .bool(let bool) = result { .integer(bool ? 1 : 0) } else { result }
        }
        if rank(left) != rank(right) { return rank(left) < rank(right) }
        return (order(plain(left), plain(right)) ?? 0) < 0
    }
}

// MARK: - Operators and functions

extension FilterEvaluator {
    private func calculate(
        _ arithmetic: FilterExpression.Arithmetic, _ left: Result, _ right: Result
    ) -> Result {
        if case .integer(let left) = left, case .integer(let right) = right {
            switch arithmetic {
            case .add: return .integer(left + right)
            case .subtract: return .integer(left - right)
            case .multiply: return .integer(left * right)
            case .divide: return right == 0 ? .null : .integer(left / right)
            case .remainder: return right == 0 ? .null : .integer(left % right)
            }
        }
        guard let left = double(left), let right = double(right) else { return .null }
        let result =
            switch arithmetic {
            case .add: left + right
            case .subtract: left - right
            case .multiply: left * right
            case .divide: right == 0 ? .nan : left / right
            case .remainder: left.truncatingRemainder(dividingBy: right)
            }
        return result.isNaN ? .null : .real(result)
    }

    private func double(_ result: Result) -> Double? {
        switch result {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        default: nil
        }
    }

    private func call(_ function: FilterExpression.Function, _ arguments: [Result]) -> Result {
        switch function {
        case .year, .month, .day, .hour, .minute, .second: return part(function, of: arguments[0])
        case .floor: return rounded(arguments[0], .down)
        case .ceiling: return rounded(arguments[0], .up)
        case .round: return rounded(arguments[0], .toNearestOrAwayFromZero)
        case .substring: return substring(arguments)
        // What nothing is replaced by is not looked at.
        case .replace where arguments[1] == .string(""): return string(arguments[0])
        default: break
        }
        var texts: [[Unicode.Scalar]] = []
        for argument in arguments {
            guard case .string(let string) = argument else { return .null }
            texts.append(Array(string.unicodeScalars))
        }
        return call(function, texts)
    }

    private func call(_ function: FilterExpression.Function, _ texts: [[Unicode.Scalar]]) -> Result {
        let lower = texts.map { Array(string($0).lowercased().unicodeScalars) }
        switch function {
        case .startsWith: return .bool(lower[0].starts(with: lower[1]))
        case .endsWith: return .bool(lower[0].reversed().starts(with: lower[1].reversed()))
        case .contains: return .bool(lower[0].place(of: lower[1]) != nil)
        case .substringOf: return .bool(lower[1].place(of: lower[0]) != nil)
        case .indexOf: return .integer(Int64(lower[0].place(of: lower[1]) ?? -1))
        case .length: return .integer(Int64(texts[0].count))
        case .toLower: return .string(string(texts[0]).lowercased())
        case .toUpper: return .string(string(texts[0]).uppercased())
        case .trim:
            let rest = texts[0].drop { $0.properties.isWhitespace }
            return .string(string(rest.reversed().drop { $0.properties.isWhitespace }.reversed()))
        case .replace: return .string(string(texts[0].replacing(texts[1], by: texts[2])))
        case .concat: return .string(string(texts[0] + texts[1]))
        default: return .null
        }
    }

    private func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var string = ""
        string.unicodeScalars.append(contentsOf: scalars)
        return string
    }

    private func substring(_ arguments: [Result]) -> Result {
        guard case .string(let text) = arguments[0] else { return .null }
        var counts: [Int] = []
        for argument in arguments.dropFirst() {
            guard let count = double(argument) else { return .null }
            counts.append(max(0, Int(count.rounded(.towardZero))))
        }
        let rest = text.unicodeScalars.dropFirst(counts[0])
        return .string(string(counts.count > 1 ? rest.prefix(counts[1]) : rest))
    }

    private func rounded(_ result: Result, _ rule: FloatingPointRoundingRule) -> Result {
        if case .real(let real) = result { .real(real.rounded(rule)) } else { number(result) }
    }

    private func part(_ function: FilterExpression.Function, of argument: Result) -> Result {
        guard case .instant(let instant) = Self.instant(argument) else { return .null }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: Double(instant.seconds)))
        let part =
            switch function {
            case .year: parts.year
            case .month: parts.month
            case .day: parts.day
            case .hour: parts.hour
            case .minute: parts.minute
            default: parts.second
            }
        return part.map { .integer(Int64($0)) } ?? .null
    }
}

extension [Unicode.Scalar] {
    fileprivate func place(of other: [Unicode.Scalar]) -> Int? {
        if other.count > count { return nil }
        return (0...(count - other.count)).first { self[$0...].starts(with: other) }
    }

    fileprivate func replacing(_ old: [Unicode.Scalar], by new: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard !old.isEmpty, let place = place(of: old) else { return self }
        return self[..<place] + new + Array(self[(place + old.count)...]).replacing(old, by: new)
    }
}
