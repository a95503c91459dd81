internal import ArgumentParser
internal import Remotes
internal import Values

/// A remote's address as the user types it: a store in a folder, or a table on a server.
struct RemoteAddress: Sendable {
    let location: RemoteLocation

    static let help = ArgumentHelp(
        "A store's folder (PATH or PATH#TABLE, also as a file: URL), or http(s)://HOST/tables/TABLE.",
        valueName: "url")

    /// Parses an address that the user typed; a relative path starts at the current directory.
    ///
    /// A `#` belongs to the path of an existing folder; otherwise a table's name follows it.
    ///
    /// - Throws: A ``Failure`` if the text is not an address.
    init(_ typed: String, currentDirectory: String) throws {
        if let problem = OtherAddress(typed, currentDirectory: currentDirectory) { throw problem.failure }
        let path = TypedPath(typed: typed, currentDirectory: currentDirectory)
        if typed.contains("#"), path.isFolder {
            location = .store(path: path.absolute, table: .standard)
            return
        }
        do {
            location = try RemoteLocation(parsing: typed, relativeTo: currentDirectory)
        } catch RemoteLocationError.badTableName(let name)
            where !typed.contains("://") && !typed.hasPrefix("file:")
        {
            throw Failure(
                .usage, visible("\(RemoteLocationError.badTableName(name))"),
                hint:
                    "there is no folder \(visible(path.absolute)); its URL would be \(RemoteLocation.fileURL(ofFolder: path.absolute))"
            )
        } catch {
            throw Failure(
                .usage, withoutKeys(visible("\(error)")),
                hint: "a remote is a store's folder, or http(s)://HOST/tables/TABLE")
        }
    }

    /// The address to record: absolute, and the same in every folder.
    var url: String { location.description }

    /// The address's server; nil for a store.
    var server: ServerOrigin? {
        switch location {
        case .server(let url):
            guard let server = ServerOrigin(url: url) else {
                preconditionFailure("a server's location has a server")
            }
            return server
        case .store: return nil
        }
    }

    /// The default name for a clone's folder: the address's last component.
    var folderName: String {
        switch location {
        case .server(let url): Self.lastPart(of: url)
        case .store(let path, let table): table == .standard ? Self.lastPart(of: path) : table.string
        }
    }

    private static func lastPart(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? "todos"
    }
}

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

/// A server as the user names it: by its own URL, or by the URL of one of its tables.
struct ServerArgument {
    let origin: ServerOrigin
    /// The URL of the table, if the user named one.
    let table: String?

    static let help = ArgumentHelp(
        "The server, or one of its tables, such as https://example.org/tables/todoitem.", valueName: "url")

    /// Parses the server that the user typed.
    ///
    /// - Parameter command: The command that takes the argument, with its options, for the hint.
    /// - Throws: A ``Failure`` with a hint.
    init(_ typed: String, of command: String) throws {
        guard let origin = ServerOrigin(url: typed) else {
            throw Failure(
                .usage, "\(withoutKeys(visible(typed))) is not a server's URL",
                hint: Self.advice(typed, command))
        }
        self.origin = origin
        table = (try? RemoteAddress(typed, currentDirectory: "/"))?.url
    }

    private static func advice(_ typed: String, _ command: String) -> String {
        guard let meant = ServerOrigin(url: "https://" + typed) else {
            return "use the server's URL, such as https://example.org, without a user name or password"
        }
        let url = withoutKeys(visible((meant.isLoopback ? "http://" : "https://") + typed))
        return "run \"todosync \(command) \(shellQuoted(url))\""
    }
}
