import LosslessYAML
import TodoModel

/// The rules for merging, as laws: what each side of the outcome must be, given three versions.
///
/// The outcome has two values: one with local's side of all conflicts, and one with the remote's. Without
/// conflicts, they are the same.
struct MergeLaws {
    private(set) var violations: [String] = []

    /// Checks the top-level fields, where a null value counts as absent.
    mutating func check(
        base: Mapping?, local: Mapping, remote: Mapping, outcome: (local: Mapping, remote: Mapping)
    ) {
        for key in keys(base, local, remote, outcome.local, outcome.remote) where key != "id" {
            func value(_ mapping: Mapping?) -> Value? { mapping?[key] == .null ? nil : mapping?[key] }
            check(
                key, value(base), value(local), value(remote),
                (value(outcome.local), value(outcome.remote)),
                isSame: { CanonicalField.value(key, $0) == CanonicalField.value(key, $1) })
        }
    }

    private mutating func check(
        _ path: String, _ base: Value?, _ local: Value?, _ remote: Value?,
        _ outcome: (local: Value?, remote: Value?), isSame: (Value?, Value?) -> Bool = { $0 == $1 }
    ) {
        func bothAre(_ value: Value?) -> Bool {
            isSame(outcome.local, value) && isSame(outcome.remote, value)
        }
        if isSame(local, remote) {
            require(bothAre(local), path, "both sides made it so, and it did not become so")
        } else if isSame(local, base) {
            require(bothAre(remote), path, "only the remote changed it")
        } else if isSame(remote, base) {
            require(bothAre(local), path, "only local changed it")
        } else {
            checkBothChanged(path, base, local, remote, outcome)
        }
    }

    private mutating func checkBothChanged(
        _ path: String, _ base: Value?, _ local: Value?, _ remote: Value?,
        _ outcome: (local: Value?, remote: Value?)
    ) {
        switch (base, local, remote, outcome.local, outcome.remote) {
        case (nil, .list(let local)?, .list(let remote)?, _, _) where local.areScalars && remote.areScalars:
            checkScalars(path, [], local, remote, outcome)
        case (.list(let base)?, .list(let local)?, .list(let remote)?, _, _)
        where base.areScalars && local.areScalars && remote.areScalars:
            checkScalars(path, base, local, remote, outcome)
        case (.list(let base)?, .list(let local)?, .list(let remote)?, _, _)
        where base.areMappings && local.areMappings && remote.areMappings:
            checkElements(path, base, local, remote, outcome)
        case (nil, .mapping(let local)?, .mapping(let remote)?, .mapping(let result)?, .mapping(let other)?):
            checkMapping(path, nil, local, remote, (result, other))
        case (
            .mapping(let base)?, .mapping(let local)?, .mapping(let remote)?, .mapping(let result)?,
            .mapping(let other)?
        ):
            checkMapping(path, base, local, remote, (result, other))
        case (.string(let base)?, .string(let local)?, .string(let remote)?, let result?, let other?)
        where [base, local, remote].allSatisfy { $0.contains("\n") }:
            checkLines(path, base.lines, local.lines, remote.lines, (result.lines, other.lines))
        default:
            require(outcome.local == local && outcome.remote == remote, path, "each side has its own value")
        }
    }

    private mutating func checkMapping(
        _ path: String, _ base: Mapping?, _ local: Mapping, _ remote: Mapping,
        _ outcome: (local: Mapping, remote: Mapping)
    ) {
        for key in keys(base, local, remote, outcome.local, outcome.remote) {
            check(
                "\(path).\(key)", base?[key], local[key], remote[key],
                (outcome.local[key], outcome.remote[key]))
        }
        let localOrder = local.keys.filter { outcome.local[$0] != nil && base?[$0] == nil }
        require(
            localOrder == outcome.local.keys.filter(localOrder.contains), path,
            "local's new keys keep their order")
    }

    /// Rule 2: lists are sets unless a value repeats; a number that both sides replaced is a conflict.
    private mutating func checkScalars(
        _ path: String, _ base: [Value], _ local: [Value], _ remote: [Value],
        _ outcome: (local: Value?, remote: Value?)
    ) {
        let isSet = path.hasSuffix("tags")
        let lists = [base, local, remote]
        if !isSet, lists.contains(where: { Set($0).count < $0.count }) {
            return checkSequence(path, base, local, remote, outcome)
        }
        let areNumbers = lists.joined().allSatisfy { if case .number = $0 { true } else { false } }
        let added = [local, remote].map { Set($0).subtracting(base) }
        let isOneReplaced =
            base.count == local.count && base.count == remote.count
            && base.indices.contains { index in
                Set(lists.map { $0[index] }).count == 3 && added[0].contains(local[index])
                    && added[1].contains(remote[index])
            }
        let mayBeReplaced =
            !added[0].isEmpty && !added[1].isEmpty && added[0] != added[1]
            && base.contains { !local.contains($0) && !remote.contains($0) }
        if !isSet, areNumbers, isOneReplaced || mayBeReplaced && outcome.local != outcome.remote {
            return require(
                outcome == (.list(local), .list(remote)), path, "a number replaced two ways is a conflict")
        }
        require(outcome.local == outcome.remote, path, "sets do not conflict")
        checkSet(path, base, local, remote, outcome.local)
    }

    /// Rule 2: edits apart merge, and only those.
    private mutating func checkSequence(
        _ path: String, _ base: [Value], _ local: [Value], _ remote: [Value],
        _ outcome: (local: Value?, remote: Value?)
    ) {
        guard case .list(let result)? = outcome.local, outcome.local == outcome.remote else {
            require(outcome == (.list(local), .list(remote)), path, "each side has its own list")
            return require(!areApart(base, local, remote), path, "edits apart do not conflict")
        }
        for value in Set(base + local + remote + result) {
            let counts = [base, local, remote, result].map { list in list.count { $0 == value } }
            require(counts[3] <= counts[1] + counts[2], path, "\(value) was added")
            if local.hasAll(of: base) { require(counts[3] >= counts[2], path, "the remote's \(value)") }
            if remote.hasAll(of: base) { require(counts[3] >= counts[1], path, "local's \(value)") }
        }
    }

    /// Rule 2: an element is removed or added if one side did that, and local's order comes first.
    private mutating func checkSet(
        _ path: String, _ base: [Value], _ local: [Value], _ remote: [Value], _ result: Value?
    ) {
        guard case .list(let result)? = result else { return require(false, path, "it is a list") }
        for element in Set(base + local + remote + result) {
            let sides = [base, local, remote].map { $0.contains(element) }
            let isKept = sides[0] ? sides[1] && sides[2] : sides[1] || sides[2]
            require(result.contains(element) == isKept, path, "\(element) is kept: \(isKept)")
        }
        let added = remote.filter { !local.contains($0) && !base.contains($0) }
        require(Array(result.suffix(added.count)) == added, path, "the remote's additions come last")
        guard [base, local, remote].allSatisfy({ Set($0).count == $0.count }) else { return }
        require(Set(result).count == result.count, path, "no element comes twice")
        let stayed = base.filter { local.contains($0) && remote.contains($0) }
        let isReordered = { (list: [Value]) in list.filter(stayed.contains) != stayed }
        let model = isReordered(remote) && !isReordered(local) ? remote : local
        require(
            result.filter(stayed.contains) == model.filter(stayed.contains), path,
            "an order changed on one side is taken, on both the local")
    }

    /// Rule 3: matched elements merge, unmatched ones are removed or added.
    private mutating func checkElements(
        _ path: String, _ base: [Value], _ local: [Value], _ remote: [Value],
        _ outcome: (local: Value?, remote: Value?)
    ) {
        guard case .list(let result)? = outcome.local, case .list(let other)? = outcome.remote else {
            return require(false, path, "it is a list")
        }
        let most = [base, local, remote].map(\.count).max() ?? 0
        require([result, other].allSatisfy { $0.count <= 2 * most }, path, "the count of elements")
        let name = ["id", "text"].first { name in
            [base, local, remote].allSatisfy { Set($0.compactMap { $0[name] }).count == $0.count }
        }
        guard let name else {
            for element in base where local.contains(element) && remote.contains(element) {
                require(result.contains(element) && other.contains(element), path, "\(element) is gone")
            }
            return
        }
        func find(_ key: Value, in list: [Value]) -> Value? { list.first { $0[name] == key } }
        let keys = Set((base + local + remote).compactMap { $0[name] })
        let new = [local, remote].map { list in
            list.compactMap { $0[name] }.filter { find($0, in: base) == nil }
        }
        // A different id means a different element, but a text of which most stayed means a renamed one.
        var renamed: Set<Value> = []
        for key in keys where name != "id" && find(key, in: base) != nil {
            let versions = [find(key, in: local), find(key, in: remote)]
            let edited = new.map { names in names.filter { key.isMostlySame(as: $0) } }
            if versions[0] == nil, !edited[0].isEmpty { renamed.formUnion(edited[0] + [key]) }
            if versions[1] == nil, !edited[1].isEmpty { renamed.formUnion(edited[1] + [key]) }
            let names = edited[versions[0] == nil ? 0 : 1] + [key]
            let isTorn = (versions[0] == nil) != (versions[1] == nil) && renamed.contains(key)
            for side in [result, other] where isTorn && names.count == 2 {
                let found = names.filter { find($0, in: side) != nil }
                require(found.count == 1, path, "\(key) is one element, not \(found)")
            }
        }
        // Equal replacements of a removed element are versions of it.
        if name != "id",
            base.contains(where: { element in
                element[name].map { find($0, in: local) == nil && find($0, in: remote) == nil } ?? false
            })
        {
            renamed.formUnion(new[0].filter(new[1].contains))
        }
        for key in keys where !renamed.contains(key) {
            check(
                "\(path)[\(key)]", find(key, in: base), find(key, in: local), find(key, in: remote),
                (find(key, in: result), find(key, in: other)))
        }
    }

    /// Rule 4: no line disappears that no side removed, and no line appears that no side has.
    private mutating func checkLines(
        _ path: String, _ base: [Substring], _ local: [Substring], _ remote: [Substring],
        _ outcome: (local: [Substring], remote: [Substring])
    ) {
        for line in Set(base + local + remote) {
            let sides = [base, local, remote].map { $0.contains(line) }
            if sides[0] ? sides[1] && sides[2] : sides[1] {
                require(outcome.local.contains(line), path, "\(line) is gone from local")
            }
            if sides[0] ? sides[1] && sides[2] : sides[2] {
                require(outcome.remote.contains(line), path, "\(line) is gone from the remote")
            }
            if sides[0], !(sides[1] && sides[2]), outcome.local == outcome.remote {
                require(!outcome.local.contains(line), path, "\(line) was removed, and is back")
            }
        }
        require(Set(outcome.local + outcome.remote).isSubset(of: base + local + remote), path, "a new line")
        if areApart(base, local, remote) {
            require(outcome.local == outcome.remote, path, "lines apart do not conflict")
        }
    }

    /// Returns whether at least one unchanged element is between the sides' changes.
    private func areApart<Element: Equatable>(_ base: [Element], _ local: [Element], _ remote: [Element])
        -> Bool
    {
        let changes = [local, remote].map { side in
            let before = zip(base, side).prefix { $0 == $1 }.count
            let after = zip(base.reversed(), side.reversed()).prefix { $0 == $1 }.count
            return before...max(before, base.count - after)
        }
        return !changes[0].overlaps(changes[1])
    }

    private mutating func require(_ holds: Bool, _ path: String, _ law: String) {
        if !holds { violations.append("\(path): \(law)") }
    }

    private func keys(_ mappings: Mapping?...) -> Set<String> { Set(mappings.flatMap { $0?.keys ?? [] }) }
}

extension Value {
    fileprivate subscript(key: String) -> Value? {
        if case .mapping(let mapping) = self { mapping[key] } else { nil }
    }

    fileprivate var lines: [Substring] {
        if case .string(let string) = self { string.lines } else { [] }
    }

    /// Returns whether two thirds of the longer string's characters are in both strings, in order.
    fileprivate func isMostlySame(as other: Value) -> Bool {
        guard case .string(let old) = self, case .string(let new) = other else { return false }
        var kept = Array(repeating: 0, count: new.count + 1)
        for character in old {
            var next = kept
            for (index, newCharacter) in new.enumerated() {
                next[index + 1] =
                    character == newCharacter ? kept[index] + 1 : max(kept[index + 1], next[index])
            }
            kept = next
        }
        return kept[new.count] * 3 >= max(old.count, new.count) * 2
    }
}

extension String {
    fileprivate var lines: [Substring] { split(separator: "\n", omittingEmptySubsequences: false) }
}

extension [Value] {
    /// Returns whether the list has another list's elements in their order.
    fileprivate func hasAll(of old: [Value]) -> Bool {
        reduce(into: old[...]) { rest, value in if rest.first == value { rest.removeFirst() } }.isEmpty
    }

    fileprivate var areScalars: Bool {
        allSatisfy {
            switch $0 {
            case .null, .bool, .number, .string: true
            case .list, .mapping: false
            }
        }
    }

    fileprivate var areMappings: Bool { allSatisfy { if case .mapping = $0 { true } else { false } } }
}
