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
        terminal.say(
            """
            This folder's remote is on \(server), a server that you don't trust yet.
            If you trust it, todosync sends your todos there, and your key for it.
            """)
        return ["y", "yes"].contains(terminal.ask("trust \(server)? [y/N] ")?.lowercased())
    }
}
