internal import Remotes
internal import TodoModel
internal import WorkingCopy

/// Decides whether a server may be contacted: only one that the user has trusted gets anything at all.
///
/// A folder of somebody else's may name any server, and would have todos and `TODOSYNC_KEY` sent there.
struct Trust {
    /// Names a server that is trusted besides those in the list, as in CI.
    static let variable = "TODOSYNC_TRUST"
    /// What is noted in a folder from which this todosync, or a newer one, was about to contact a server.
    ///
    /// A folder without it was never used by a todosync that knows of trust.
    static let mark = "the list of trusted servers decides"

    private let process: ProcessSurroundings

    init(_ process: ProcessSurroundings) { self.process = process }

    /// Returns if a server may be contacted; at a terminal, asks if that is not known.
    ///
    /// - Parameter folder: whose remote it is; nil where there is no folder yet.
    /// - Throws: ``RemoteError/untrusted(server:)``; a ``Failure`` where the list can't be read.
    func require(_ server: ServerOrigin, for folder: WorkingDirectory?) throws {
        // Looked for before the list is read: another todosync adds to the list first, then leaves the mark.
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

    /// Trusts a server that the user has named.
    func grant(_ server: ServerOrigin) throws {
        do {
            try TrustedServers.add(server, process)
        } catch {
            // Where the variable names it there need be no place for a list, as in CI.
            guard try isNamed(server) else { throw error }
        }
    }

    /// Trusts the server that a folder's new remote is on, as the user has named it.
    ///
    /// - Parameter server: nil for a store, which needs no trust.
    func grant(_ server: ServerOrigin?, for folder: WorkingDirectory) throws {
        guard let server else { return }
        try grant(server)
        leaveMark(in: folder, (try? folder.wasTold(Self.mark)) ?? true)
    }

    /// Makes sure that a server can be trusted once a command has succeeded; called before it begins.
    ///
    /// - Parameter server: nil for a store.
    /// - Throws: A ``Failure`` where the list can't be read or written.
    func prepareGrant(_ server: ServerOrigin?) throws {
        if let server, try !isTrusted(server) { try TrustedServers.checkWritable(process) }
    }

    private func isTrusted(_ server: ServerOrigin) throws -> Bool {
        try isNamed(server) || TrustedServers(process).contains(server)
    }

    /// Whether the variable names a server.
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

    /// Trusts the server of a folder that was used before there was a list, so that what runs by itself goes
    /// on; false if the list can't be written.
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
        process.standardError.writeIgnoringErrors(message + "\n")
        return (try? result.get()) != nil
    }

    private func leaveMark(in folder: WorkingDirectory?, _ isMarked: Bool) {
        // A folder that can't be written to is looked at again.
        if !isMarked { try? folder?.noteTold(Self.mark) }
    }
}
