internal import Remotes

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
