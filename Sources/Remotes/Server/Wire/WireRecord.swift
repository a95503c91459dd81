internal import LosslessYAML
internal import TodoModel
internal import Values

/// A record as a server sends it.
struct WireRecord {
    var record: RemoteRecord
    /// When it was last written, in the server's own words; nil where it does not say.
    var updatedAt: String?
    /// Whether it says that it is deleted, or that it is not.
    var tellsDeletion: Bool

    /// Reads a record of the protocol.
    ///
    /// - Throws: ``NonsenseAnswer`` for what is no object, or has no id or version that can be used.
    init(_ value: Value, _ flavour: WireFlavour) throws(NonsenseAnswer) {
        guard case .mapping(let fields) = value else { throw NonsenseAnswer("a record is not a JSON object") }
        guard case .string(let id)? = fields["id"], !id.isEmpty, id.utf8.count <= Self.maximumIDSize else {
            throw NonsenseAnswer("a record has no id")
        }
        guard case .string(let text)? = fields[flavour.version], let version = Self.version(text) else {
            throw NonsenseAnswer("a record has no version")
        }
        let isDeleted = try Self.bool(fields[flavour.deleted])
        tellsDeletion = fields[flavour.deleted] != nil
        if case .string(let text)? = fields[flavour.updatedAt] { updatedAt = text }
        if case .string(let problem)? = fields[JSON.problemName] {
            record = RemoteRecord(
                id: id, version: version, isDeleted: isDeleted, fields: [:], problem: problem)
            return
        }
        let layout = fields[LayoutProperty.name].flatMap(LayoutProperty.layout)
        var others = [
            "id", flavour.version, flavour.deleted, flavour.createdAt, flavour.updatedAt, LayoutProperty.name,
        ]
        if isDeleted { others.append("@removed") }
        let own = fields.removing(others)
        record = RemoteRecord(id: id, version: version, isDeleted: isDeleted, fields: own, layout: layout)
    }

    /// More than any id can have; the engine judges what an id is.
    private static let maximumIDSize = 4096
    private static let maximumVersionSize = 1024

    /// Returns a version that can be kept and sent back in a header, nil for any other text.
    static func version(_ text: String) -> Version? {
        let isUsable =
            (1...maximumVersionSize).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isUsable ? Version(text) : nil
    }

    private static func bool(_ value: Value?) throws(NonsenseAnswer) -> Bool {
        switch value {
        case nil, .null: false
        case .bool(let bool): bool
        default: throw NonsenseAnswer("a record's deleted property is not a boolean")
        }
    }
}

/// An answer is not what the protocol has at its place.
struct NonsenseAnswer: Error, Sendable {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
