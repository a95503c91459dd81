internal import Remotes
internal import TodoModel

/// Decides whether a server may be contacted: todosync sends nothing to a server that the user doesn't trust.
///
/// A folder from somebody else can name any server, which would receive the todos and `TODOSYNC_KEY`.
struct Trust {
    /// The environment variable that names one more server to trust, for example in CI.
    static let variable = "TODOSYNC_TRUST"
    private let process: ProcessSurroundings

    init(_ process: ProcessSurroundings) { self.process = process }

    /// Checks that a server may be contacted; prompts at a terminal if the server isn't in the list.
    ///
    /// - Throws: ``RemoteError/untrusted(server:)``, or a ``Failure`` if the list can't be read.
    func require(_ server: ServerOrigin) throws {
        if try isTrusted(server) { return }
        guard let terminal = Terminal(process), isAccepted(server, terminal) else {
            if Interruption.status != nil { throw CancellationError() }
            throw RemoteError.untrusted(server: "\(server)")
        }
        try TrustedServers.add(server, process)
    }

    /// Trusts a server that the user named.
    ///
    /// - Parameter server: Nil for a store, which needs no trust.
    func grant(_ server: ServerOrigin?) throws {
        guard let server else { return }
        do {
            try TrustedServers.add(server, process)
        } catch {
            // If the environment variable names the server, as in CI, a list isn't needed.
            guard try isNamed(server) else { throw error }
        }
    }

    /// Checks, before a command begins, that the server can be added to the list once the command has
    /// succeeded.
    ///
    /// - Parameter server: Nil for a store.
    /// - Throws: A ``Failure`` if the list can't be read or written.
    func prepareGrant(_ server: ServerOrigin?) throws {
        if let server, try !isTrusted(server) { try TrustedServers.checkWritable(process) }
    }

    private func isTrusted(_ server: ServerOrigin) throws -> Bool {
        try isNamed(server) || TrustedServers(process).contains(server)
    }

    /// Returns whether the environment variable names a server.
    private func isNamed(_ server: ServerOrigin) throws -> Bool {
        guard let named = process.environment(Self.variable), !named.isEmpty else { return false }
        guard let origin = ServerOrigin(url: named) else {
            throw Failure(
                .configuration, "\(Self.variable) does not name a server: \(withoutKeys(visible(named)))",
                hint: "set it to a server's origin, such as https://example.org")
        }
        return origin == server
    }

    private func isAccepted(_ server: ServerOrigin, _ terminal: Terminal) -> Bool {
        terminal.print(
            """
            This folder's remote is on \(server), a server that you don't trust yet.
            If you trust it, todosync sends your todos there, and your key for it.
            """)
        return ["y", "yes"].contains(terminal.ask("trust \(server)? [y/N] ")?.lowercased())
    }
}

/// The file `todosync/trusted` in the user's configuration folder, which lists the servers that may receive
/// todos and keys.
///
/// Each line is an origin, such as `https://example.org:8443`, optionally followed by a comment. Lines that
/// are empty or begin with `#` are ignored. Only the file's owner may have write permission.
struct TrustedServers {
    private static let kind = UserFile.Kind(
        name: "trusted", content: "trusted servers", forbidden: 0o022)

    private let origins: [ServerOrigin]

    /// Reads the file; a missing file counts as empty.
    ///
    /// - Throws: A ``Failure`` if the file can't be read or parsed, or if others can write it.
    init(_ process: ProcessSurroundings) throws { origins = try Self.origins(UserFile(Self.kind, process)) }

    /// The servers in the order of the file, without duplicates.
    var all: [ServerOrigin] {
        var seen: Set<ServerOrigin> = []
        return origins.filter { seen.insert($0).inserted }
    }

    func contains(_ server: ServerOrigin) -> Bool { origins.contains(server) }

    /// Adds a server if it is missing; returns the file's path.
    @discardableResult
    static func add(_ server: ServerOrigin, _ process: ProcessSurroundings) throws -> String {
        try UserFile.change(kind, process) { file in
            if try !origins(file).contains(server) { file.lines.append("\(server)") }
            return file.path
        }
    }

    /// Checks that the file can be parsed and changed, and creates its folder if necessary.
    static func checkWritable(_ process: ProcessSurroundings) throws {
        try UserFile.change(kind, process) { file in
            _ = try origins(file)
            try file.checkWritable()
        }
    }

    /// Removes a server; returns false if it was not in the file.
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
                    hint: "correct or remove the line; to trust a server, run \"todosync trust ORIGIN\"")
            }
            return origin
        }
    }

    /// Returns the words of a line; empty if the line is ignored.
    private static func words(_ line: String) -> [String] {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        return words.first?.hasPrefix("#") == true ? [] : words
    }
}
