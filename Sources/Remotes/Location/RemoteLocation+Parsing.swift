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
