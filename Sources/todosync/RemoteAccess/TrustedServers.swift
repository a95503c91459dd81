internal import Remotes

/// The file `todosync/trusted` among the user's configuration: the servers that may get todos and keys.
///
/// Each line is an origin, such as `https://example.org:8443`, and possibly a comment behind it. Lines that
/// are empty or begin with `#` say nothing. Only its owner may be able to write the file.
struct TrustedServers {
    private static let kind = UserFile.Kind(
        name: "trusted", content: "trusted servers", forbidden: 0o022)

    private let origins: [ServerOrigin]

    /// Reads the file; one that is not there is empty.
    ///
    /// - Throws: A ``Failure`` where it can't be read or understood, or where others can write it.
    init(_ process: ProcessSurroundings) throws { origins = try Self.origins(UserFile(Self.kind, process)) }

    /// The servers in the file's order, each once.
    var all: [ServerOrigin] {
        var seen: Set<ServerOrigin> = []
        return origins.filter { seen.insert($0).inserted }
    }

    func contains(_ server: ServerOrigin) -> Bool { origins.contains(server) }

    /// Adds a server if it is not there; returns the file's path.
    @discardableResult
    static func add(_ server: ServerOrigin, _ process: ProcessSurroundings) throws -> String {
        try UserFile.change(kind, process) { file in
            if try !origins(file).contains(server) { file.lines.append("\(server)") }
            return file.path
        }
    }

    /// Makes sure that the file can be understood and changed; makes its folder if need be.
    static func checkWritable(_ process: ProcessSurroundings) throws {
        try UserFile.change(kind, process) { file in
            _ = try origins(file)
            try file.checkWritable()
        }
    }

    /// Takes a server away; returns false if it was not there.
    static func remove(_ server: ServerOrigin, _ process: ProcessSurroundings) throws -> Bool {
        try UserFile.change(kind, process) { file in
            guard try origins(file).contains(server) else { return false }
            file.lines.removeAll { words($0).first.flatMap { ServerOrigin(url: $0) } == server }
            return true
        }
    }

    private static func origins(_ file: UserFile) throws -> [ServerOrigin] {
        try zip(1..., file.lines).compactMap { number, line in
            let words = words(line)
            guard let first = words.first else { return nil }
            guard let origin = ServerOrigin(url: first), words.count == 1 || words[1].hasPrefix("#") else {
                throw Failure(
                    .configuration,
                    "\(visible(file.path)):\(number): not a server's origin, such as https://example.org",
                    hint: "correct or remove the line; todosync trust ORIGIN adds such lines")
            }
            return origin
        }
    }

    /// The words of a line that says something.
    private static func words(_ line: String) -> [String] {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        return words.first?.hasPrefix("#") == true ? [] : words
    }
}
