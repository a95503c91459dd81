/// The parts of `http(s)://HOST[:PORT][/PREFIX]/tables/TABLE`.
struct ServerURL: Sendable, Hashable {
    let origin: ServerOrigin
    /// What stands between the origin and `/tables/`, empty or beginning with `/`.
    let prefix: String
    let table: TableName
    /// The URL as the user gave it, for messages.
    let string: String

    /// Takes a URL apart; nil for one that is none of a table.
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

    /// The path of the table below what the server's own path is.
    var innerPath: String { "/tables/\(table.string)" }
    /// The path of the table, as a request names it.
    var tablePath: String { prefix + innerPath }
}
