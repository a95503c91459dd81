import LosslessYAML

/// A field that one side renamed or moved, with its path on each side.
struct RelocatedField {
    /// The side that renamed or moved the field.
    var side: Side
    /// The old paths, which the base and the other side still have.
    var from: Sides<DocumentPath>
    /// The new paths.
    var to: Sides<DocumentPath>

    var other: Side { side == .local ? .remote : .local }
}

/// Finds the fields that one side renamed or moved and the other side edited, as long as the match is unique.
///
/// A wrong guess would be worse than a conflict. So an old and a new field match only if their value is
/// distinctive, if no other missing field could be the new one, if no other added field could be the old one,
/// and if the new one can't be a copy of a field that stayed.
struct RelocationSearch {
    let documents: Sides<Document>
    let rules: FieldRules

    /// The maximum number of pairs to compare.
    ///
    /// If there are more, nothing is matched.
    private static let mostPairs = 2000
    /// The minimum number of points that two values must share to match.
    private static let least = 2
    private static let sides = [(Side.local, Side.remote), (.remote, .local)]

    private var values: Sides<Value> { documents.map(\.root.value) }

    private func isEdited(_ from: Sides<DocumentPath>, by other: Side) -> Bool {
        let (base, edited) = (documents.base, documents[other])
        let value = edited.root.value.value(at: from[other])
        return value != nil
            && (value != base.root.value.value(at: from.base)
                || CommentCounts(edited.commentTexts(at: from[other])).counts
                    != CommentCounts(base.commentTexts(at: from.base)).counts)
    }

    /// Returns the pairs of old and new fields that have no other possible match.
    ///
    /// - Parameters:
    ///   - edited: The other side's value of the old field, which the new field can match, too.
    ///   - kept: The fields that stayed, which a new field can be a copy of.
    private func onlyPairs<Field>(
        _ old: [(field: Field, value: Value, edited: Value?)], _ new: [(field: Field, value: Value)],
        kept: [(field: Field, value: Value)],
        where mayBeSame: (Field, Field) -> Bool = { _, _ in true }
    ) -> [(old: Field, new: Field)] {
        guard !old.isEmpty, !new.isEmpty, (old.count + kept.count) * new.count <= Self.mostPairs else {
            return []
        }
        let newOnes = new.map { Resemblance($0.value) }
        let keptOnes = kept.map { (field: $0.field, value: Resemblance($0.value)) }
        let copies = new.indices.filter { position in
            keptOnes.contains {
                mayBeSame($0.field, new[position].field)
                    && newOnes[position].isLike($0.value, least: Self.least)
            }
        }
        let possible = old.map { old in
            let versions = [old.value, old.edited].compactMap { $0 }.map(Resemblance.init)
            return new.indices.filter { position in
                guard mayBeSame(old.field, new[position].field), !copies.contains(position) else {
                    return false
                }
                return newOnes[position].isLike(versions[0], least: Self.least)
                    || versions.count > 1 && new[position].value == old.edited
                        && newOnes[position].points >= Self.least
            }
        }
        return old.indices.compactMap { position in
            guard possible[position].count == 1, let only = possible[position].first,
                possible.filter({ $0.contains(only) }).count == 1
            else { return nil }
            return (old[position].field, new[only].field)
        }
    }
}

// MARK: Renames

extension RelocationSearch {
    /// The fields that one side renamed within their mapping.
    var renames: [RelocatedField] {
        renames(in: values, at: Sides(base: [], local: [], remote: []), keeping: rules.fixed)
    }

    private func renames(in values: Sides<Value>, at paths: Sides<DocumentPath>, keeping fixed: Set<String>)
        -> [RelocatedField]
    {
        // Values that no side changed have no renamed fields.
        if values.local == values.base && values.remote == values.base { return [] }
        switch (values.base, values.local, values.remote) {
        case (.mapping(let base), .mapping(let local), .mapping(let remote)):
            let mappings = Sides(base: base, local: local, remote: remote)
            return Self.sides.flatMap {
                renames(in: mappings, at: paths, by: $0, despite: $1, keeping: fixed)
            }
                + base.keys.flatMap { key -> [RelocatedField] in
                    guard let base = base[key], let local = local[key], let remote = remote[key] else {
                        return []
                    }
                    return renames(
                        in: Sides(base: base, local: local, remote: remote),
                        at: paths.map { $0 + [.key(ByteKey(key))] }, keeping: rules.fixed)
                }
        case (.list(let base), .list(let local), .list(let remote))
        where [base, local, remote].allSatisfy(\.hasMappings):
            let lists = Sides(base: base, local: local, remote: remote)
            let names = fixed.union([ElementKeys.id, "text"] + rules.identity)
            return ElementMatches(lists, identity: rules.identity).matches.flatMap {
                match -> [RelocatedField] in
                guard !match.isAmbiguous, let base = match.positions.base.first,
                    let local = match.positions.local.first, let remote = match.positions.remote.first
                else { return [] }
                let positions = Sides(base: base, local: local, remote: remote)
                return renames(
                    in: Sides(
                        base: lists.base[base], local: lists.local[local], remote: lists.remote[remote]),
                    at: Sides(
                        base: paths.base + [.item(positions.base)],
                        local: paths.local + [.item(positions.local)],
                        remote: paths.remote + [.item(positions.remote)]), keeping: names)
            }
        default: return []
        }
    }

    private func renames(
        in mappings: Sides<Mapping>, at paths: Sides<DocumentPath>, by side: Side, despite other: Side,
        keeping fixed: Set<String>
    ) -> [RelocatedField] {
        let own = mappings[side]
        let gone = mappings.base.entries.filter { own[$0.key] == nil }
        let new = own.entries.filter { mappings.base[$0.key] == nil && mappings[other][$0.key] == nil }
        let pairs = onlyPairs(
            gone.map { ($0.key, $0.value, mappings[other][$0.key]) }, new.map { ($0.key, $0.value) },
            kept: mappings.base.entries.filter { own[$0.key] != nil }.map { ($0.key, $0.value) })
        return pairs.compactMap { old, new in
            let from = paths.map { $0 + [.key(ByteKey(old))] }
            guard !fixed.contains(old), !fixed.contains(new), isEdited(from, by: other) else { return nil }
            return RelocatedField(side: side, from: from, to: paths.map { $0 + [.key(ByteKey(new))] })
        }
    }
}

// MARK: Moves

extension RelocationSearch {
    /// The mappings that one side moved into another mapping under the same name.
    var moves: [RelocatedField] {
        let nested = values.map(\.nestedMappings)
        return Self.sides.flatMap { side, other -> [RelocatedField] in
            func isAbsent(_ path: DocumentPath, _ side: Side) -> Bool { values[side].value(at: path) == nil }
            let gone = nested.base.filter { isAbsent($0.path, side) }
            let new = nested[side].filter { isAbsent($0.path, .base) && isAbsent($0.path, other) }
            let pairs = onlyPairs(
                gone.map { ($0.path, $0.value, values[other].value(at: $0.path)) },
                new.map { ($0.path, $0.value) },
                kept: nested.base.filter { !isAbsent($0.path, side) }.map { ($0.path, $0.value) }
            ) { $0.last == $1.last }
            return pairs.compactMap { old, new in
                let from = Sides(base: old, local: old, remote: old)
                let mayMove = [old, new].allSatisfy { path in
                    path.count > 1 || !(path.first?.name.map(rules.fixed.contains) ?? false)
                }
                guard mayMove, isEdited(from, by: other) else { return nil }
                return RelocatedField(
                    side: side, from: from, to: Sides(base: new, local: new, remote: new))
            }
        }
    }
}

extension [Value] {
    fileprivate var hasMappings: Bool { contains { if case .mapping = $0 { true } else { false } } }
}

extension Value {
    /// The mappings nested in this mapping at any depth, outer mappings first.
    fileprivate var nestedMappings: [(path: DocumentPath, value: Value)] {
        guard case .mapping(let mapping) = self else { return [] }
        return mapping.entries.flatMap { entry -> [(path: DocumentPath, value: Value)] in
            guard case .mapping = entry.value else { return [] }
            let step = FieldStep.key(ByteKey(entry.key))
            return [([step], entry.value)] + entry.value.nestedMappings.map { ([step] + $0.path, $0.value) }
        }
    }
}

/// The distinctive features of a value, which identify it under a different name.
///
/// A string or number that is unlikely to occur twice by chance is worth two points. Any other scalar is
/// worth one point in a mapping, where its key distinguishes it, and no points in a list. Strings are split
/// into lines.
struct Resemblance {
    private struct Leaf: Hashable {
        var path: DocumentPath
        var value: Value

        var points: Int {
            if value.isDistinctive { return 2 }
            if case .key? = path.last { return 1 }
            return 0
        }
    }

    private let value: Value
    private var leaves: [Leaf: Int] = [:]
    /// The points of the whole value.
    private(set) var points = 0

    init(_ value: Value) {
        self.value = value
        collect(value, [])
    }

    /// Returns whether two values are probably versions of the same value.
    ///
    /// They must share at least `least` points, and they must be equal or share three quarters of their
    /// points.
    func isLike(_ other: Resemblance, least: Int) -> Bool {
        if value == other.value { return points >= least }
        // This quick check rules out most pairs, which matters with large values and many pairs.
        guard min(points, other.points) * 4 >= max(points, other.points) * 3 else { return false }
        let shared = leaves.reduce(0) { $0 + $1.key.points * min($1.value, other.leaves[$1.key] ?? 0) }
        return shared >= least && shared * 4 >= max(points, other.points) * 3
    }

    private mutating func collect(_ value: Value, _ path: DocumentPath) {
        switch value {
        case .mapping(let mapping):
            for entry in mapping.entries { collect(entry.value, path + [.key(ByteKey(entry.key))]) }
        case .list(let list):
            for element in list { collect(element, path + [.item(0)]) }
        case .string(let string) where string.utf8.contains(LineEnding.lf):
            for line in string.utf8.split(separator: LineEnding.lf) {
                count(Leaf(path: path + [.item(0)], value: .string(String(decoding: line, as: UTF8.self))))
            }
        case .null, .bool, .number, .string: count(Leaf(path: path, value: value))
        }
    }

    private mutating func count(_ leaf: Leaf) {
        if leaf.points == 0 { return }
        leaves[leaf, default: 0] += 1
        points += leaf.points
    }
}

extension Value {
    /// Whether the scalar is unlikely to occur twice by chance.
    ///
    /// This applies to a string with several letters, which excludes dates, and to a long number.
    fileprivate var isDistinctive: Bool {
        switch self {
        case .string(let string):
            string.unicodeScalars.count >= 8
                && string.unicodeScalars.lazy.filter(\.properties.isAlphabetic).prefix(5).count == 5
        case .number(let number):
            number.json.utf8.filter { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }.count >= 6
        case .null, .bool, .list, .mapping: false
        }
    }
}
