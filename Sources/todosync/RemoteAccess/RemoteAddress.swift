internal import ArgumentParser
internal import Remotes

/// Where a remote is, as the user types it: a store in a folder, or a server's table.
struct RemoteAddress: Sendable {
    enum Place: Sendable {
        case store(path: String, table: TableName)
        case server(url: String)
    }

    let place: Place

    static let help = ArgumentHelp(
        "A store's folder (PATH or PATH#TABLE, also as a file: URL), or http(s)://HOST/tables/TABLE.",
        valueName: "url")

    /// Reads what the user typed; a relative path starts at the folder they are in.
    ///
    /// - Throws: A ``Failure`` for what is no address.
    init(_ typed: String, currentDirectory: String) throws {
        if typed.hasPrefix("http://") || typed.hasPrefix("https://") {
            place = .server(url: typed)
            return
        }
        var (path, table) = Self.split(typed)
        if path.hasPrefix("file:") {
            guard let decoded = Self.path(ofFileURL: path) else {
                throw Failure(
                    .usage, "\(visible(typed)) is no file: URL of this machine",
                    hint: "a file: URL is file:///PATH, or file:///PATH#TABLE")
            }
            path = decoded
        } else if path.contains("://") {
            throw Failure(
                .usage, "\(visible(typed)) is no remote that todosync knows",
                hint: "a remote is a store's folder, or http(s)://HOST/tables/TABLE")
        }
        guard !path.isEmpty else { throw Failure(.usage, "the remote's URL is empty") }
        place = .store(
            path: TypedPath(typed: path, currentDirectory: currentDirectory).absolute,
            table: table ?? .standard)
    }

    /// The address as it is recorded: absolute, the same from every folder.
    var url: String {
        switch place {
        case .server(let url): return url
        case .store(let path, let table):
            // A # in the path would be read as the beginning of a table's name.
            let base = path.utf8.contains(UInt8(ascii: "#")) ? "file://" + Self.percentEncoded(path) : path
            return table == .standard ? base : "\(base)#\(table.string)"
        }
    }

    /// The name for a clone's folder: the last part of the address.
    var folderName: String {
        switch place {
        case .server(let url): Self.lastPart(url, fallback: "todos")
        case .store(let path, let table):
            table == .standard ? Self.lastPart(path, fallback: "todos") : table.string
        }
    }

    /// Splits at the last `#` if a table's name follows it.
    private static func split(_ typed: String) -> (path: String, table: TableName?) {
        guard let mark = typed.utf8.lastIndex(of: UInt8(ascii: "#")),
            let table = TableName(String(typed[typed.utf8.index(after: mark)...]))
        else { return (typed, nil) }
        return (String(typed[..<mark]), table)
    }

    private static func lastPart(_ path: String, fallback: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? fallback
    }
}

// MARK: - file: URLs (RFC 8089)

extension RemoteAddress {
    private static func path(ofFileURL url: String) -> String? {
        var rest = url.dropFirst("file:".count)
        for host in ["//localhost/", "///"] where rest.hasPrefix(host) {
            rest = rest.dropFirst(host.count - 1)
        }
        guard rest.hasPrefix("/"), !rest.hasPrefix("//") else { return nil }
        return percentDecoded(rest)
    }

    private static func percentDecoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func percentEncoded(_ path: String) -> String {
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "?"), 0...0x20, 0x7F:
                bytes += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
