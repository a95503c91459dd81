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
    /// - Parameter wantsNews: whether the remote's changes are read next.
    /// - Throws: ``EngineError/noRemote``; ``EngineError/otherRemote(url:)`` where another store stands
    ///   behind the URL; ``EngineError/otherHistory(url:)`` where it was put back from an old backup.
    func connect(wantsNews: Bool) async throws -> Connection {
        guard let url = configuration.remote else { throw EngineError.noRemote }
        let remote = try surroundings.connect(url)
        let identity = try await meet(remote, url: url, wantsNews: wantsNews)
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
        return connection
    }

    private func meet(
        _ remote: any Remote, url: String, wantsNews: Bool
    ) async throws -> RemoteIdentity {
        do {
            return try await remote.meet(state.knownHistory, wantsNews: wantsNews)
        } catch RemoteError.otherHistory {
            throw EngineError.otherHistory(url: url)
        }
    }

    /// Takes note of which remote was met, before the first thing is remembered of it.
    func remember(_ connection: Connection) throws {
        guard state.remote == nil else { return }
        try transaction.record([.identity(connection.identity, url: connection.url)])
    }

    /// Begins anew with another remote: nothing is taken for deleted, all files are pending inserts.
    func forgetRemote() throws {
        if let open = state.todos.loaded.first(where: { $0.value.conflict != nil }) {
            let path = inventory.path(of: open.key) ?? open.value.conflict?.localPath ?? open.key.string
            throw EngineError.isConflicted(path: path)
        }
        try transaction.record([.forgotten])
        try lookAgain()
    }
}

extension State {
    /// What was pulled last and what was pushed last, which can be newer; nil if no remote was met yet.
    var knownHistory: KnownHistory? {
        remote.map { KnownHistory(identity: $0.identity, cursor: cursor, accepted: lastAccepted) }
    }
}
