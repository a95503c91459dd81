internal import Remotes

/// An address that people mistake for a remote's.
enum OtherAddress {
    /// A git repository: `git@host:path`, `ssh://`, `git://`, or a URL that ends in `.git`.
    case repository(String)
    /// The URL of a server without `https://`.
    case noScheme(String)
    /// The URL of a server, but not of one of its tables.
    case noTable(String)

    /// Creates a mistaken address from what the user typed; nil if it can be a remote's.
    init?(_ typed: String, currentDirectory: String) {
        let lowercase = typed.lowercased()
        let isServer = lowercase.hasPrefix("https://") || lowercase.hasPrefix("http://")
        if Self.isRepository(lowercase, isServer: isServer) {
            self = .repository(typed)
        } else if isServer, !lowercase.contains("/tables/"), ServerOrigin(url: typed) != nil {
            self = .noTable(typed)
        } else if !isServer, Self.hasHost(lowercase),
            !TypedPath(typed: typed, currentDirectory: currentDirectory).exists
        {
            self = .noScheme(typed)
        } else {
            return nil
        }
    }

    private static func isRepository(_ typed: String, isServer: Bool) -> Bool {
        if ["ssh://", "git://", "git+ssh://"].contains(where: typed.hasPrefix) { return true }
        if isServer { return typed.hasSuffix(".git") || typed.hasSuffix(".git/") }
        // As in git, such an address has a colon before the first slash, and a user name before the colon.
        let host = typed.prefix { $0 != "/" }
        guard let colon = host.firstIndex(of: ":"), let at = host.firstIndex(of: "@") else { return false }
        return at < colon && !typed.contains("://")
    }

    /// Returns whether an address begins with a host name and has the path of a table.
    private static func hasHost(_ typed: String) -> Bool {
        guard !typed.contains("://"), typed.contains("/tables/") else { return false }
        let host = typed.prefix { $0 != "/" }
        let name = host.prefix { $0 != ":" }
        return !host.hasPrefix(".") && (name.contains(".") || name == "localhost")
    }

    /// The error message with a hint.
    var failure: Failure {
        switch self {
        case .repository(let typed):
            Failure(
                .usage, "\(withoutKeys(visible(typed))) is the address of a git repository",
                hint: "a remote is a store's folder, or http(s)://HOST/tables/TABLE; "
                    + "todos in a git repository have one, too (\"todosync git-setup --help\")")
        case .noScheme(let typed):
            Failure(
                .usage,
                "\(withoutKeys(visible(typed))) doesn't begin with https:// and isn't a folder here",
                hint: "use https://\(withoutKeys(visible(typed))) for a server, or a store's folder")
        case .noTable(let typed):
            Failure(
                .usage, "\(withoutKeys(visible(typed))) names no table",
                hint: "use http(s)://HOST/tables/TABLE; the usual table is "
                    + withoutKeys(visible(typed.hasSuffix("/") ? typed : typed + "/")) + "tables/"
                    + TableName.standard.string)
        }
    }
}
