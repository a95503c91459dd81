internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// A remote that was met and is the one that the working directory knows.
struct Connection {
    var remote: any Remote
    var identity: RemoteIdentity
    var url: String
}

extension Run {
    /// Opens the remote and makes sure that it is the one that this working directory knows.
    ///
    /// - Throws: ``EngineError/noRemote``; ``EngineError/otherRemote(url:)`` where another store stands
    ///   behind the URL; ``EngineError/otherHistory(url:)`` where it was put back from an old backup.
    func connect() async throws -> Connection {
        guard let url = configuration.remote else { throw EngineError.noRemote }
        let remote = try surroundings.connect(url)
        let identity = try await remote.identity()
        let connection = Connection(remote: remote, identity: identity, url: url)
        if let known = state.remote {
            if known.identity != identity {
                // A URL that the user changed may lead elsewhere; one that stayed must not.
                if known.url == url { throw EngineError.otherRemote(url: url) }
                try forgetRemote()
            } else if known.url != url {
                try transaction.record([.identity(identity, url: url)])
            }
        }
        guard try await hasKnownHistory(remote) else { throw EngineError.otherHistory(url: url) }
        return connection
    }

    /// Whether a remote's history goes on from what is known of it here: what was pulled last, and what was
    /// pushed last, which can be newer.
    func hasKnownHistory(_ remote: any Remote) async throws -> Bool {
        do {
            if let cursor = state.cursor { try await remote.verify(cursor) }
            if let accepted = state.lastAccepted {
                try await remote.verify(operationID: accepted.operationID, accepted: accepted.version)
            }
            return true
        } catch RemoteError.otherHistory {
            return false
        }
    }

    /// Takes note of which remote was met, before the first thing is remembered of it.
    func remember(_ connection: Connection) throws {
        guard state.remote == nil else { return }
        try transaction.record([.identity(connection.identity, url: connection.url)])
    }

    /// Begins anew with another remote: nothing is taken for deleted, all files are pending inserts.
    func forgetRemote() throws {
        if let open = state.todos.first(where: { $0.value.conflict != nil }) {
            let path = inventory.path(of: open.key) ?? open.value.conflict?.localPath ?? open.key.string
            throw EngineError.isConflicted(path: path)
        }
        try transaction.record([.forgotten])
        try lookAgain()
    }
}
