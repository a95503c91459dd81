internal import Remotes

/// The properties that the server assigns to a record, besides its id.
struct SystemProperties: OptionSet, Sendable {
    var rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    static let createdAt = SystemProperties(rawValue: 1)
    static let updatedAt = SystemProperties(rawValue: 2)
    static let version = SystemProperties(rawValue: 4)
    static let deleted = SystemProperties(rawValue: 8)
    static let all: SystemProperties = [.createdAt, .updatedAt, .version, .deleted]

    private static let names: [(String, SystemProperties)] = [
        ("createdAt", .createdAt), ("updatedAt", .updatedAt), ("version", .version), ("deleted", .deleted),
    ]

    /// Returns the property for a name in `__systemProperties`; nil for an unknown name.
    ///
    /// The name is case-insensitive, and its `__` is optional.
    private static func property(_ name: String) -> SystemProperties? {
        let name = name.lowercased()
        let plain = name.utf8.starts(with: "__".utf8) ? String(name.dropFirst(2)) : name
        return names.first { $0.0.lowercased() == plain }?.1
    }

    /// Parses v1's parameter `__systemProperties`: `*`, or a comma-separated list of names.
    ///
    /// Whitespace around the names is ignored.
    init(parameter text: String) throws(Refusal) {
        self = []
        if text.trimmedOfWhiteSpace == "*" {
            self = .all
            return
        }
        for part in text.split(separator: ",") {
            let name = String(part).trimmedOfWhiteSpace
            if name.isEmpty { continue }
            guard let property = Self.property(name) else {
                throw .malformed("'\(name.shortened)' is not a supported system property.")
            }
            insert(property)
        }
    }

    /// Creates the set of the properties named in a `$select`, in the flavor's spelling.
    init(names selected: [String], _ flavor: Flavor) {
        self = []
        for (name, property) in Self.names {
            let name = flavor == .v1 ? "__" + name : name
            if selected.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { insert(property) }
        }
    }
}

extension String {
    /// The text, trimmed like JavaScript's `trim`, which the original v1 server used.
    fileprivate var trimmedOfWhiteSpace: String {
        let isWhite = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace || scalar == "\u{FEFF}" }
        var rest = unicodeScalars.drop(while: isWhite)
        while let last = rest.last, isWhite(last) { rest.removeLast() }
        return String(rest)
    }
}
