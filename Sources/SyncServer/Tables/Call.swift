internal import LosslessYAML
internal import Remotes
internal import TodoModel
internal import Values

/// A request with its flavor, path and method parsed.
struct Call: Sendable {
    let flavor: Flavor
    let endpoint: Endpoint
    /// The table's name as the request spells it; empty if the path has no table.
    let tableText: String
    /// The id in the path; empty if the path has no id.
    let id: String
    let parameters: QueryParameters
    let headers: Headers
    let body: RequestBody
    let preferences: Preferences
    let root: String
    /// The name of the client; nil for no limits.
    let client: String?
    let arrival: Arrival

    init(
        _ request: TablesRequest, body: RequestBody, flavor: Flavor, parameters: QueryParameters,
        preferences: Preferences
    ) throws(Refusal) {
        let path = try RequestPath(request.path)
        let isForChanges = path.isForChanges && request.asksForChanges(parameters)
        endpoint = isForChanges ? .changes : try Endpoint.find(method: request.method, path: path.form)
        // Browsers' event sources can't send a version, and changes exist only in version 2.
        self.flavor = isForChanges ? .v2 : flavor
        tableText = path.table
        id = path.id
        self.parameters = parameters
        headers = request.headers
        self.body = body
        self.preferences = preferences
        root = request.root
        client = request.client
        arrival = request.arrival
    }

    /// Whether the request has a query that can take long.
    var isQuery: Bool {
        switch endpoint {
        case .list: !asksForChanges
        case .read: parameters.all.contains { $0.name == "$filter" }
        default: false
        }
    }

    /// Returns the request's table.
    func table() throws(Refusal) -> TableName {
        if let name = TableName(tableText) { return name }
        guard endpoint == .insert else { throw .noSuchTable(tableText) }
        throw .malformed(
            """
            '\(tableText.shortened)' is not a table name: use a letter or _, followed by up to 127 letters, \
            digits and _.
            """)
    }

    /// Returns the URL of the table, or of a record in it.
    func url(id: String? = nil) -> String {
        let table = "\(root)/tables/\(PercentEncoding.ofLink(tableText))"
        return id.map { "\(table)/\(PercentEncoding.ofLink($0))" } ?? table
    }
}

/// A request's body: the bytes of a single request, or a value that was parsed as part of a batch.
enum RequestBody: Sendable {
    case bytes([UInt8])
    case value(Value?)

    /// The maximum size of a body in bytes: the largest record, 8 MiB, plus the rest of the request.
    static let maximumSize = 8 << 20 + 64 << 10

    /// Returns the body as an object; throws if it is not an object.
    func mapping(maximumSize: Int = maximumSize, maximumDepth: Int = JSON.defaultMaximumDepth) throws(Refusal)
        -> Mapping
    {
        guard let value = try value(maximumSize: maximumSize, maximumDepth: maximumDepth) else {
            throw .malformed("The request has no body; it needs a JSON object.")
        }
        guard case .mapping(let mapping) = value else { throw .malformed("The body is not a JSON object.") }
        return mapping
    }

    /// Returns the body as a value; nil if there is no body.
    func value(maximumSize: Int = maximumSize, maximumDepth: Int = JSON.defaultMaximumDepth) throws(Refusal)
        -> Value?
    {
        switch self {
        case .value(let value): return value
        case .bytes(let bytes):
            guard bytes.count <= maximumSize else {
                throw Refusal(413, "The body has more than \(maximumSize) bytes.")
            }
            if bytes.isEmpty { return nil }
            do throws(JSON.Problem) {
                return try JSON.read(bytes, maximumDepth: maximumDepth, maximumSize: maximumSize)
            } catch {
                // The status is 413, because a client can split a batch into smaller batches.
                if case .tooManyValues = error.reason { throw Refusal(413, "The body has \(error.message).") }
                throw .malformed("The body is not JSON: \(error).")
            }
        }
    }
}

/// A record that a client sent, with the user's fields separated from the protocol's properties.
struct SentRecord: Sendable {
    var id: Value?
    /// The version in a v2 body, which is a write's condition if `If-Match` is missing.
    var version: Version?
    /// All other fields; the store checks their names and values.
    var fields = Mapping()
    /// The property `todosync`; nil if it is absent, an empty layout if it is null.
    var layout: Layout?

    init(_ mapping: Mapping, _ endpoint: Endpoint, _ flavor: Flavor) throws(Refusal) {
        for (key, value) in mapping.entries {
            if key.isSameBytes(as: FieldName.id) {
                id = value
            } else if key.isSameBytes(as: LayoutProperty.name) {
                layout = try Self.layout(value)
            } else if flavor == .v2, key.isSameBytes(as: "version") {
                version = try Self.version(value, endpoint)
            } else {
                fields[key] = value
            }
        }
    }

    /// Parses the property `version`.
    ///
    /// An insert ignores it, because the server assigns a version itself.
    private static func version(_ value: Value, _ endpoint: Endpoint) throws(Refusal) -> Version? {
        switch value {
        case _ where endpoint == .insert: return nil
        case .null: return nil
        case .string(let string): return Version(string)
        default: throw .malformed("version is not a string.")
        }
    }

    private static func layout(_ value: Value) throws(Refusal) -> Layout {
        if value == .null { return Layout(path: nil, yaml: nil) }
        guard case .mapping(let mapping) = value else { throw .malformed("todosync is not an object.") }
        var layout = Layout(path: nil, yaml: nil)
        for (key, value) in mapping.entries {
            let string: String?
            switch value {
            case .string(let text): string = text
            case .null: string = nil
            default: throw .malformed("todosync's \(key.shortened) is not a string.")
            }
            switch key {
            case "path": layout.path = string
            case "yaml": layout.yaml = string
            case "device": layout.device = string
            default:
                throw .malformed("todosync has no member \(key.shortened); use path, yaml and device.")
            }
        }
        return layout
    }
}
