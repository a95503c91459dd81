internal import Remotes
internal import TodoModel
internal import WorkingCopy

/// Decides whether a server may be contacted: todosync sends nothing to a server that the user doesn't trust.
///
/// A folder from somebody else can name any server, which would receive the todos and `TODOSYNC_KEY`.
struct Trust {
    /// The environment variable that names one more server to trust, for example in CI.
    static let variable = "TODOSYNC_TRUST"
    /// The mark of a folder where this or a newer version of todosync was about to contact a server.
    ///
    /// A folder without it was never used by a todosync version that has a list of trusted servers.
    static let mark = "the list of trusted servers decides"

    private let process: ProcessSurroundings

    init(_ process: ProcessSurroundings) { self.process = process }

    /// Checks that a server may be contacted; prompts at a terminal if the server isn't in the list.
    ///
    /// - Parameter folder: The folder whose remote is on the server; nil if there is no folder yet.
    /// - Throws: ``RemoteError/untrusted(server:)``, or a ``Failure`` if the list can't be read.
    func require(_ server: ServerOrigin, for folder: WorkingDirectory?) throws {
        // This reads the mark before the list, because another process adds to the list before it sets the
        // mark.
        let isMarked = folder.map { (try? $0.wasTold(Self.mark)) ?? true } ?? true
        if try isTrusted(server) {
            leaveMark(in: folder, isMarked)
            return
        }
        if !isMarked, let folder, EarlierFolder(folder).hasPushed(to: server) {
            if takeIn(server) { leaveMark(in: folder, isMarked) }
            return
        }
        leaveMark(in: folder, isMarked)
        guard let terminal = Terminal(process), isAccepted(server, terminal) else {
            if Interruption.status != nil { throw CancellationError() }
            throw RemoteError.untrusted(server: "\(server)")
        }
        try TrustedServers.add(server, process)
    }

    /// Trusts a server that the user named.
    func grant(_ server: ServerOrigin) throws {
        do {
            try TrustedServers.add(server, process)
        } catch {
            // If the environment variable names the server, as in CI, a list isn't needed.
            guard try isNamed(server) else { throw error }
        }
    }

    /// Trusts the server of a folder's new remote, which the user named.
    ///
    /// - Parameter server: Nil for a store, which needs no trust.
    func grant(_ server: ServerOrigin?, for folder: WorkingDirectory) throws {
        guard let server else { return }
        try grant(server)
        leaveMark(in: folder, (try? folder.wasTold(Self.mark)) ?? true)
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

    /// Trusts the server of a folder that was used before the list existed, so that scheduled jobs keep
    /// working.
    ///
    /// Returns false if the list can't be written.
    private func takeIn(_ server: ServerOrigin) -> Bool {
        let result = Result { try TrustedServers.add(server, process) }
        let message =
            switch result {
            case .success:
                "note: todosync trusts \(server) from now on, because this folder has pushed to it before; "
                    + "run \"todosync trust --remove \(server)\" to undo that"
            case .failure(let error):
                "warning: todosync trusts \(server) this time only, because this folder has pushed to it before: "
                    + Failure(error).message
            }
        process.standardError.writeMessage(message)
        return (try? result.get()) != nil
    }

    private func leaveMark(in folder: WorkingDirectory?, _ isMarked: Bool) {
        // If the folder can't be written to, the next command checks it again.
        if !isMarked { try? folder?.noteTold(Self.mark) }
    }
}
