package import LosslessYAML

/// The path to a field or to a part of one in the form that users type: `due`, `address.city`,
/// `checklist.2.done`.
///
/// Items of a list are numbered from 1. A key can contain dots itself: the longest key that exists is used.
package struct FieldPath: Sendable, Hashable {
    package let typed: String

    package init(_ typed: String) { self.typed = typed }

    var steps: [Substring] { typed.split(separator: ".", omittingEmptySubsequences: false) }

    /// Returns whether the path sorts before another path, with items of a list sorted by number.
    func precedes(_ other: FieldPath) -> Bool {
        for (step, otherStep) in zip(steps, other.steps) where step != otherStep {
            if let number = Self.number(step), let otherNumber = Self.number(otherStep) {
                return number < otherNumber
            }
            return step < otherStep
        }
        return steps.count < other.steps.count
    }

    /// Whether there is nothing before or after a dot.
    var hasEmptyStep: Bool { steps.contains(where: \.isEmpty) }

    /// Returns the problem with steps as new keys; nil if they can be keys.
    private func nameProblem(_ steps: ArraySlice<Substring>) -> FieldAssignmentProblem? {
        if hasEmptyStep { return .emptyPart(typed) }
        return steps.lazy.compactMap { FieldAssignment.problem(withNewKey: String($0)) }.first
    }

    /// The part after the last dot.
    var lastStep: String { steps.last.map(String.init) ?? "" }

    /// Returns the value at the path; nil if there isn't one.
    package func value(in fields: Mapping) throws(FieldChangeProblem) -> Value? {
        var found: Value?
        _ = try changed(fields, at: steps[...], below: "") { (value) throws(FieldChangeProblem) in
            found = value
            return value
        }
        return found
    }

    /// Changes the value at the path.
    ///
    /// - Parameter change: Returns the new value, or nil to remove the value. Its argument is nil if a
    ///   mapping doesn't have the key.
    /// - Throws: A problem if a part of the path before the last one is missing or can't have parts, or if
    ///   the path leads to an item that a list doesn't have; and the errors of `change`.
    func change(
        _ fields: inout Mapping,
        _ change: (Value?) throws(FieldChangeProblem) -> Value?
    ) throws(FieldChangeProblem) {
        fields = try changed(fields, at: steps[...], below: "", change)
    }

    /// Returns the top-level field that the path leads to.
    func field(in fields: Mapping) -> String {
        Self.key(in: fields, steps[...])?.key ?? typed
    }

    /// Returns the longest key that exists in a mapping, and the number of steps that it covers.
    private static func key(
        in mapping: Mapping, _ steps: ArraySlice<Substring>
    ) -> (key: String, value: Value, count: Int)? {
        for count in stride(from: steps.count, to: 0, by: -1) {
            let key = steps.prefix(count).joined(separator: ".")
            if let value = mapping[key] { return (key, value, count) }
        }
        return nil
    }

    private func changed(
        _ mapping: Mapping, at steps: ArraySlice<Substring>, below parent: String,
        _ change: (Value?) throws(FieldChangeProblem) -> Value?
    ) throws(FieldChangeProblem) -> Mapping {
        var mapping = mapping
        if let (key, value, count) = Self.key(in: mapping, steps) {
            mapping[key] = try changed(value, at: steps.dropFirst(count), name: parent + key, change)
            return mapping
        }
        guard let key = steps.first.map(String.init), let value = try change(nil) else { return mapping }
        if let problem = nameProblem(steps) { throw .name(problem) }
        if steps.count > 1 { throw .noParent(parent + key, path: typed) }
        mapping[key] = value
        return mapping
    }

    private func changed(
        _ value: Value, at steps: ArraySlice<Substring>, name: String,
        _ change: (Value?) throws(FieldChangeProblem) -> Value?
    ) throws(FieldChangeProblem) -> Value? {
        guard let step = steps.first else { return try change(value) }
        switch value {
        case .mapping(let mapping):
            return .mapping(try changed(mapping, at: steps, below: name + ".", change))
        case .list(var list):
            guard let number = Self.number(step) else { throw .noNumber(String(step), list: name) }
            guard (1...list.count + 1).contains(number), number <= list.count else {
                throw .noItem(number, list: name, count: list.count)
            }
            let item = try changed(
                list[number - 1], at: steps.dropFirst(), name: "\(name).\(number)", change)
            if let item { list[number - 1] = item } else { list.remove(at: number - 1) }
            return .list(list)
        case .null:
            if try change(nil) != nil { throw .noParent(name, path: typed) }
            return value
        case .bool: throw .hasNoParts(name, kind: "a boolean", part: steps.joined(separator: "."))
        case .number: throw .hasNoParts(name, kind: "a number", part: steps.joined(separator: "."))
        case .string: throw .hasNoParts(name, kind: "a string", part: steps.joined(separator: "."))
        }
    }

    /// Parses the number of an item; nil if the text isn't a number.
    static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}
