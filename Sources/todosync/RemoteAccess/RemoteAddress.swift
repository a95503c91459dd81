internal import ArgumentParser
internal import Remotes

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
