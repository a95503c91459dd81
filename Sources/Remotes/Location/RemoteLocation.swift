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
