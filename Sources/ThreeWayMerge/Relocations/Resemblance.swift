import LosslessYAML

/// The distinctive features of a value, which identify it under a different name.
///
/// A string or number that is unlikely to occur twice by chance is worth two points. Any other scalar is
/// worth one point in a mapping, where its key distinguishes it, and no points in a list. Strings are split
/// into lines.
struct Resemblance {
    private struct Leaf: Hashable {
        var path: FieldPath
        var value: Value

        var points: Int {
            if value.isTelling { return 2 }
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

    private mutating func collect(_ value: Value, _ path: FieldPath) {
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
    fileprivate var isTelling: Bool {
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
