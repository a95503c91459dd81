/// The parts of `http(s)://HOST[:PORT][/PREFIX]/tables/TABLE`.
struct ServerURL: Sendable, Hashable {
    let origin: ServerOrigin
    /// The path between the origin and `/tables/`; it is empty or begins with `/`.
    let prefix: String
    let table: TableName
    /// The URL as the user gave it, for messages.
    let string: String

    /// Splits a URL; nil if it is not the URL of a table.
    init?(_ string: String) {
        guard let (origin, path) = ServerOrigin.split(string) else { return nil }
        var names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count >= 3, let table = names.popLast().flatMap({ TableName(String($0)) }),
            names.popLast() == "tables"
        else { return nil }
        self.origin = origin
        self.table = table
        prefix = PercentEncoding.ofPath(names.joined(separator: "/"))
        self.string = string
    }

    /// The path of the table below the prefix.
    var innerPath: String { "/tables/\(table.string)" }
    /// The path of the table in a request.
    var tablePath: String { prefix + innerPath }
}
