internal import LosslessYAML
internal import Remotes
internal import TodoModel
internal import Values

/// The form of records in a response: the properties and their names.
struct RecordView: Sendable {
    let flavor: Flavor
    /// The system properties that a v1 request asked for.
    var systemProperties: SystemProperties = []
    /// The names in `$select`; nil for all properties.
    var selection: [String]?

    /// Returns a view with all properties, for responses to conflicts and for the change feed.
    static func whole(_ flavor: Flavor) -> RecordView {
        RecordView(flavor: flavor, systemProperties: .all)
    }

    /// Appends a record as a JSON object.
    func write(_ stored: StoredRecord, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        writeMembers(of: stored, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends a record's members, without the braces around them.
    func writeMembers(of stored: StoredRecord, to bytes: inout [UInt8]) {
        var members = Members(bytes: bytes)
        // Move the buffer into `members` and back, because a second owner would make each write copy it.
        bytes = []
        if selects(FieldName.id) { members.add(FieldName.id, .string(stored.record.id)) }
        for (key, value) in stored.record.fields.entries where selects(key) { members.add(key, value) }
        if selects(LayoutProperty.name), let json = stored.record.layout.flatMap(LayoutProperty.json) {
            members.add(LayoutProperty.name, json: json)
        }
        let shown = shownSystemProperties
        if shown.contains(.createdAt) { members.add(name("createdAt"), time: stored.createdAt) }
        if shown.contains(.updatedAt) { members.add(name("updatedAt"), time: stored.updatedAt) }
        if shown.contains(.version) { members.add(name("version"), .string(stored.record.version.string)) }
        if shown.contains(.deleted) { members.add(name("deleted"), .bool(stored.record.isDeleted)) }
        bytes = members.bytes
    }

    /// Returns whether the response to a request contains the record's `ETag`.
    ///
    /// A v1 client stores the tag as the record's version and sends it as a condition. A client that never
    /// asked for versions can't handle conflicts.
    func showsETag(_ headers: Headers) -> Bool { showsVersion || headers["if-match"] != nil }

    var showsVersion: Bool { shownSystemProperties.contains(.version) }

    /// Returns the name of a system property in the flavor.
    func name(_ property: String) -> String { flavor == .v1 ? "__" + property : property }

    private func selects(_ key: String) -> Bool {
        selection?.contains { $0.isSameBytes(as: key) } ?? true
    }

    /// The system properties to write.
    ///
    /// In v1, these are the properties in `__systemProperties` and in `$select`. In v2, these are all
    /// properties, unless `$select` leaves them out.
    private var shownSystemProperties: SystemProperties {
        switch (flavor, selection) {
        case (.v1, nil): systemProperties
        case (.v1, let selection?): systemProperties.union(SystemProperties(names: selection, .v1))
        case (.v2, nil): .all
        case (.v2, let selection?): SystemProperties(names: selection, .v2)
        }
    }
}

/// Writes the members of a JSON object.
private struct Members {
    var bytes: [UInt8]
    private var isFirst = true

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func add(_ key: String, _ value: Value) {
        begin(key)
        JSON.write(value, to: &bytes)
    }

    mutating func add(_ key: String, time: Int64) {
        begin(key)
        bytes.append(UInt8(ascii: "\""))
        bytes += Instant(milliseconds: time).internetTime.utf8
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func add(_ key: String, json: [UInt8]) {
        begin(key)
        bytes += json
    }

    private mutating func begin(_ key: String) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        JSON.write(.string(key), to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}

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
