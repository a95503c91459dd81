internal import LosslessYAML
internal import TodoModel
internal import Values

/// A record in the format that a server sends.
struct WireRecord {
    var record: RemoteRecord
    /// The time of the last write in the server's format; nil if the server doesn't send it.
    var updatedAt: String?
    /// Whether the record has a property that shows whether it is deleted.
    var tellsDeletion: Bool

    /// Parses a record of the protocol.
    ///
    /// - Throws: ``InvalidResponse`` if the value is not an object, or has no valid id or version.
    init(_ value: Value, _ flavor: WireFlavor) throws(InvalidResponse) {
        guard case .mapping(let fields) = value else {
            throw InvalidResponse("a record is not a JSON object")
        }
        guard case .string(let id)? = fields["id"], !id.isEmpty, id.utf8.count <= Self.maximumIDSize else {
            throw InvalidResponse("a record has no valid id")
        }
        guard case .string(let text)? = fields[flavor.version], let version = Self.version(text) else {
            throw InvalidResponse("a record has no valid version")
        }
        let isDeleted = try Self.bool(fields[flavor.deleted])
        tellsDeletion = fields[flavor.deleted] != nil
        if case .string(let text)? = fields[flavor.updatedAt] { updatedAt = text }
        if case .string(let problem)? = fields[JSON.problemName] {
            record = RemoteRecord(
                id: id, version: version, isDeleted: isDeleted, fields: [:], problem: problem)
            return
        }
        let layout = fields[LayoutProperty.name].flatMap(LayoutProperty.layout)
        var others = [
            "id", flavor.version, flavor.deleted, flavor.createdAt, flavor.updatedAt, LayoutProperty.name,
        ]
        if isDeleted { others.append("@removed") }
        let own = fields.removing(others)
        record = RemoteRecord(id: id, version: version, isDeleted: isDeleted, fields: own, layout: layout)
    }

    /// A limit above the size of every valid id; the engine checks ids.
    private static let maximumIDSize = 4096
    private static let maximumVersionSize = 1024

    /// Returns a version that can be stored and sent in a header; nil for any other text.
    static func version(_ text: String) -> Version? {
        let isUsable =
            (1...maximumVersionSize).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isUsable ? Version(text) : nil
    }

    private static func bool(_ value: Value?) throws(InvalidResponse) -> Bool {
        switch value {
        case nil, .null: false
        case .bool(let bool): bool
        default: throw InvalidResponse("a record's deleted property is not a boolean")
        }
    }
}

/// A server's response that violates the protocol.
struct InvalidResponse: Error, Sendable {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
