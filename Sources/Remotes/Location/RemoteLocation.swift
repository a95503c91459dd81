package import TodoModel

/// The location of a remote, as users type it and working directories record it.
package enum RemoteLocation: Sendable, Hashable {
    /// A table of a store in a folder on this machine; the path is absolute and normalized.
    case store(path: String, table: TableName)
    /// A table on a server; the URL is `http(s)://HOST[:PORT][/PREFIX]/tables/TABLE`.
    case server(url: String)

    /// Opens the remote without connecting to a server yet.
    ///
    /// - Throws: ``RemoteError/store(_:)``, ``RemoteError/badURL(_:)`` or ``RemoteError/badVariable(_:)``.
    package func open(
        store surroundings: StoreSurroundings, server: ServerSurroundings
    ) throws(RemoteError) -> any Remote {
        switch self {
        case .store(let path, let table):
            do {
                return try Store.open(at: path, surroundings: surroundings).table(table)
            } catch {
                throw .store(error)
            }
        case .server(let url):
            return try HTTPRemote(url: url, surroundings: server)
        }
    }
}

extension RemoteLocation: CustomStringConvertible {
    /// The URL to record; parsing it returns the same location, in any current directory.
    package var description: String {
        switch self {
        case .store(let path, let table):
            // Omit the standard table, unless the path contains a `#`, because the part after it would be
            // parsed as a table's name.
            table == .standard && !path.utf8.contains(UInt8(ascii: "#")) ? path : "\(path)#\(table.string)"
        case .server(let url): url
        }
    }
}

/// The reason why a string isn't the location of a remote.
package enum RemoteLocationError: Error, Sendable, Hashable {
    case empty
    case controlCharacter
    /// A Windows path, such as `C:\\todos`.
    case windowsPath(String)
    case unsupportedScheme(String)
    /// A database, which only a server can use.
    case database
    /// A file URL that names another machine or has no absolute path.
    case badFileURL(String)
    /// A URL that contains a user name or password; todosync stores keys outside the URL.
    case credentialsInURL
    /// An HTTP URL that is not `http(s)://HOST/tables/TABLE`.
    case badServerURL(String)
    case badTableName(String)
}

extension RemoteLocationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "the remote's URL is empty"
        case .controlCharacter: "the remote's URL has a control character"
        case .windowsPath(let path): "\(path): a Windows path can't be used here"
        case .database:
            "a database can't be a remote; run \"todosync serve --store URL\" and use that server's URL"
        case .unsupportedScheme(let scheme): "\(scheme):// is not supported; use a path, file: or https://"
        case .badFileURL(let url): "\(url): not a file URL of this machine, such as file:///home/me/store"
        case .credentialsInURL: "a remote's URL can't contain a user name or password; remove them"
        case .badServerURL(let url):
            "\(url): not a server's table, such as https://example.org/tables/todoitem"
        case .badTableName(let name):
            "\(name): not a table name (a letter or _, then letters, digits and _, at most 128)"
        }
    }
}

extension RemoteLocation {
    /// Parses `PATH`, `PATH#TABLE`, a `file:` URL with or without `#TABLE`, or `http(s)://HOST/tables/TABLE`.
    ///
    /// - Parameter directory: The absolute path that relative paths are based on.
    package init(parsing string: String, relativeTo directory: String) throws(RemoteLocationError) {
        guard !string.isEmpty else { throw .empty }
        guard !string.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .controlCharacter
        }
        if DatabaseAddress(string) != nil { throw .database }
        if let scheme = Self.scheme(of: string) {
            switch scheme {
            case "http", "https": self = try Self.server(string, scheme: scheme)
            case "postgresql", "postgres": throw .database
            case "file": self = try Self.fileURL(string)
            default: throw .unsupportedScheme(scheme)
            }
        } else {
            if Self.isWindowsPath(string) { throw .windowsPath(string) }
            let (path, table) = try Self.splitTable(off: string)
            let isAbsolute = path.utf8.first == UInt8(ascii: "/")
            self = .store(path: Self.normalized(isAbsolute ? path : "\(directory)/\(path)"), table: table)
        }
    }

    /// Returns a URL's scheme in lowercase; nil for a path.
    ///
    /// The scheme `file:` can precede any text; other schemes must precede `://`.
    private static func scheme(of string: String) -> String? {
        guard let colon = string.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = string[..<colon].lowercased()
        guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
            scheme.utf8.allSatisfy(\.isPartOfScheme)
        else { return nil }
        return scheme == "file" || string[colon...].utf8.starts(with: "://".utf8) ? scheme : nil
    }

    private static func isWindowsPath(_ string: String) -> Bool {
        let bytes = Array(string.utf8.prefix(3))
        if bytes.starts(with: #"\\"#.utf8) { return true }
        guard bytes.count == 3, bytes[1] == UInt8(ascii: ":"),
            [UInt8(ascii: "/"), UInt8(ascii: "\\")].contains(bytes[2])
        else { return false }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[0] | 0x20)
    }
}

// MARK: - Stores

extension RemoteLocation {
    /// Splits `#TABLE` off a path; a `#` in the name of a parent folder belongs to the path.
    private static func splitTable(off string: String) throws(RemoteLocationError) -> (String, TableName) {
        guard let mark = string.utf8.lastIndex(of: UInt8(ascii: "#")) else { return (string, .standard) }
        let name = String(string[string.utf8.index(after: mark)...])
        if name.utf8.contains(UInt8(ascii: "/")) { return (string, .standard) }
        guard let table = TableName(name) else { throw .badTableName(name) }
        guard mark > string.utf8.startIndex else { throw .empty }
        return (String(string[..<mark]), table)
    }

    private static func fileURL(_ url: String) throws(RemoteLocationError) -> RemoteLocation {
        var (rest, table) = (url.dropFirst("file:".count), TableName.standard)
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            let name = String(rest[rest.utf8.index(after: mark)...])
            guard let named = TableName(name) else { throw .badTableName(name) }
            (rest, table) = (rest[..<mark], named)
        }
        if rest.utf8.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != "/" }
            guard host.isEmpty || host.lowercased() == "localhost" else { throw .badFileURL(url) }
            rest = rest.dropFirst(host.count)
        }
        guard rest.utf8.first == UInt8(ascii: "/"), let path = PercentEncoding.decoded(rest),
            !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            throw .badFileURL(url)
        }
        return .store(path: normalized(path), table: table)
    }

    /// Returns the `file:` URL of a folder; a `#` in its path doesn't precede a table's name there.
    package static func fileURL(ofFolder path: String) -> String {
        "file://"
            + path.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.ofLink(String($0)) }.joined(separator: "/")
    }

    /// Returns an absolute path without `.`, `..` and repeated `/`, without accessing the file system.
    private static func normalized(_ path: String) -> String {
        var names: [Substring] = []
        for name in path.split(separator: "/") where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return "/" + names.joined(separator: "/")
    }
}

// MARK: - Servers

extension RemoteLocation {
    private static func server(
        _ url: String, scheme: String
    ) throws(RemoteLocationError) -> RemoteLocation {
        let rest = url.dropFirst(scheme.count + "://".count)
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else { throw .credentialsInURL }
        var path = rest.dropFirst(authority.count)
        if path.last == "/" { path = path.dropLast() }
        guard !authority.isEmpty, authority.first != ":", !path.contains(where: { "?#".contains($0) }),
            !url.contains(where: \.isWhitespace)
        else { throw .badServerURL(url) }
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count >= 3, names[names.count - 2] == "tables" else { throw .badServerURL(url) }
        guard TableName(String(names[names.count - 1])) != nil else {
            throw .badTableName(String(names[names.count - 1]))
        }
        let recorded = "\(scheme)://\(authority.lowercased())\(path)"
        guard ServerURL(recorded) != nil else { throw .badServerURL(url) }
        return .server(url: recorded)
    }
}

extension UInt8 {
    fileprivate var isPartOfScheme: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
