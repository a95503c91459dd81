import Foundation
import LosslessYAML

/// The expected results of filter functions and orders, computed with Foundation and arrays of characters.
enum FilterOracle {
    /// Returns a negative number if `left` comes before `right`, a positive one if it comes after, and zero
    /// if they are equal.
    static func order(_ left: String, _ right: String) -> Int {
        for key in [withoutAccents, { $0 }] {
            let (left, right) = (Array(key(left.lowercased()).utf8), Array(key(right.lowercased()).utf8))
            if left != right { return left.lexicographicallyPrecedes(right) ? -1 : 1 }
        }
        return 0
    }

    private static func withoutAccents(_ text: String) -> String {
        var text = String.UnicodeScalarView(text.decomposedStringWithCanonicalMapping.unicodeScalars)
        text.removeAll { (0x300...0x36F).contains($0.value) }
        return String(text)
    }

    /// Returns whether the first value of a field sorts before the second.
    static func precedes(_ left: Value?, _ right: Value?) -> Bool {
        switch (left, right) {
        case (.string(let left)?, .string(let right)?): order(left, right) < 0
        default: rank(left) == rank(right) ? number(left) < number(right) : rank(left) < rank(right)
        }
    }

    private static func rank(_ value: Value?) -> Int {
        switch value {
        case nil, .null, .list, .mapping: 0
        case .bool, .number: 1
        case .string: 2
        }
    }

    private static func number(_ value: Value?) -> Double {
        switch value {
        case .bool(let bool): bool ? 1 : 0
        case .number(let number): Double(number.json) ?? .nan
        case nil, .null, .list, .mapping, .string: 0
        }
    }

    // MARK: Functions, as parts of a true filter

    /// Returns true conditions about two strings.
    static func conditions(_ text: String, _ other: String) -> [String] {
        let (scalars, inner) = (Array(text.unicodeScalars), Array(other.unicodeScalars))
        let (lower, lowerInner) = (
            Array(text.lowercased().unicodeScalars), Array(other.lowercased().unicodeScalars)
        )
        let position = lower.position(of: lowerInner)
        let order = order(text, other)
        let count = inner.count
        return [
            "\(quoted(text)) \(order == 0 ? "eq" : order < 0 ? "lt" : "gt") \(quoted(other))",
            "contains(\(quoted(text)),\(quoted(other))) eq \(position != nil)",
            "substringof(\(quoted(other)),\(quoted(text))) eq \(position != nil)",
            "startswith(\(quoted(text)),\(quoted(other))) eq \(lower.starts(with: lowerInner))",
            "endswith(\(quoted(text)),\(quoted(other))) eq \(lower.ends(with: lowerInner))",
            "indexof(\(quoted(text)),\(quoted(other))) eq \(position ?? -1)",
            "length(\(quoted(text))) eq \(scalars.count)",
            "trim(\(quoted(text))) eq \(quoted(text.trimmingCharacters(in: .whitespacesAndNewlines)))",
            "concat(\(quoted(text)),\(quoted(other))) eq \(quoted(text + other))",
            "length(replace(\(quoted(text)),\(quoted(other)),'xyz')) eq "
                + "\(scalars.replacing(inner, by: Array("xyz".unicodeScalars)).count)",
            "substring(\(quoted(text)),\(count)) eq \(quoted(string(scalars.dropFirst(count))))",
            "substring(\(quoted(text)),1,\(count)) eq \(quoted(string(scalars.dropFirst().prefix(count))))",
        ]
    }

    /// Returns true conditions about a time, in seconds since 1970-01-01T00:00:00Z.
    static func conditions(second: Int) -> [String] {
        let date = Date(timeIntervalSince1970: Double(second))
        let time = "datetimeoffset'\(ISO8601DateFormatter().string(from: date))'"
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let names: [(String, Calendar.Component)] = [
            ("year", .year), ("month", .month), ("day", .day), ("hour", .hour), ("minute", .minute),
            ("second", .second),
        ]
        return names.map { "\($0)(\(time)) eq \(calendar.component($1, from: date))" }
    }

    private static func quoted(_ text: String) -> String {
        "'\(text.replacingOccurrences(of: "'", with: "''"))'"
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var string = ""
        string.unicodeScalars.append(contentsOf: scalars)
        return string
    }
}

extension [Unicode.Scalar] {
    fileprivate func ends(with other: [Unicode.Scalar]) -> Bool { reversed().starts(with: other.reversed()) }

    fileprivate func position(of other: [Unicode.Scalar]) -> Int? {
        if other.count > count { return nil }
        return (0...(count - other.count)).first { self[$0...].starts(with: other) }
    }

    fileprivate func replacing(_ old: [Unicode.Scalar], by new: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard !old.isEmpty, let position = position(of: old) else { return self }
        return self[..<position] + new + Array(self[(position + old.count)...]).replacing(old, by: new)
    }
}
