internal import LosslessYAML
internal import TodoModel
internal import Values

/// A record in the format that a server sends.
struct WireRecord {
    var record: RemoteRecord
    /// The time of the last write in the server's format; nil if the server doesn't send it.
    var updatedAt: String?
    /// Whether the record has a property that shows whether it is deleted.
    var hasDeletedField: Bool

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
        hasDeletedField = fields[flavor.deleted] != nil
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

/// An operation as a request of the tables protocol.
struct WireWrite {
    var method: ServerRequest.Method
    /// The path below the URL's prefix.
    var path: String
    /// The version in `If-Match`; nil for no condition.
    var condition: Version?
    var body: Mapping?

    /// Creates the request for an operation.
    ///
    /// - Parameters:
    ///   - hasLayout: Whether the server accepts the property `todosync`.
    ///   - hasDevice: Whether the server accepts the device in that property.
    init(_ operation: PushOperation, url: ServerURL, hasLayout: Bool = true, hasDevice: Bool = true) {
        let item = "\(url.innerPath)/\(PercentEncoding.ofValue(operation.id))"
        func body(_ fields: Mapping, _ layout: Layout, replacing: Bool) -> Mapping {
            var body: Mapping = ["id": .string(operation.id)]
            for (name, value) in fields.entries { body[name] = value }
            if hasLayout {
                // An empty layout removes the stored layout; an insert has nothing to remove.
                body[LayoutProperty.name] =
                    LayoutProperty.value(layout, hasDevice: hasDevice) ?? (replacing ? .null : nil)
            }
            return body
        }
        switch operation.change {
        case .insert(let fields, let layout):
            (method, path) = (.post, url.innerPath)
            self.body = body(fields, layout, replacing: false)
        case .update(let fields, let layout, let base):
            (method, path, condition) = (.patch, item, base)
            self.body = body(fields, layout, replacing: true)
        case .delete(let base):
            (method, path, condition) = (.delete, item, base)
        case .recreate(let fields, let layout, let base):
            (method, path, condition) = (.put, item, base)
            self.body = body(fields, layout, replacing: true)
        }
    }
}

/// The two flavors of the tables protocol, which differ in the names of system properties and in headers.
enum WireFlavor: Sendable {
    case v1
    case v2

    /// The prefix of the system properties' names.
    var prefix: String { self == .v1 ? "__" : "" }
    var version: String { prefix + "version" }
    var updatedAt: String { prefix + "updatedAt" }
    var createdAt: String { prefix + "createdAt" }
    var deleted: String { prefix + "deleted" }

    /// Returns the headers of every request.
    func headers(key: String?) -> [(name: String, value: String)] {
        switch self {
        case .v1:
            key.map { [("x-zumo-application", $0)] } ?? []
        case .v2:
            // Servers of this flavor read one of the two headers.
            [("zumo-api-version", "2.0.0")]
                + (key.map { [("authorization", "Bearer " + $0), ("x-zumo-auth", $0)] } ?? [])
        }
    }

    /// The query parameter that adds the system properties to records; empty, or `NAME=VALUE`.
    var systemProperties: String { self == .v1 ? "__systemProperties=*" : "" }
}

/// The kinds of servers that the client treats differently.
enum ServerKind: Sendable, Hashable {
    /// A todosync server, with batches, deltas and idempotency keys.
    case todosync(identity: String)
    /// A different server of the tables protocol.
    case other(WireFlavor)
}
