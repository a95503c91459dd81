internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// A remote that was met and is the one that the working directory knows.
struct Connection: Sendable {
    var remote: any Remote
    var identity: RemoteIdentity
    var url: String
}

/// The first exchange with a remote, which goes on while the folder is looked at.
struct Meeting {
    /// Nil where there is no remote.
    fileprivate let connection: Task<Connection, any Error>?

    /// - Parameter wantsNews: whether the remote's changes are read next.
    init(_ opening: Run.Opening, wantsNews: Bool) {
        let known = opening.transaction.state.knownHistory
        let connect = opening.workspace.surroundings.connect
        connection = opening.configuration.remote.map { url in
            Task {
                let remote = try connect(url)
                let identity = try await remote.meet(known, wantsNews: wantsNews)
                return Connection(remote: remote, identity: identity, url: url)
            }
        }
    }

    /// Gives the exchange up, if it still goes on.
    func end() async {
        connection?.cancel()
        _ = await connection?.result
    }
}

extension Run {
    /// Returns the remote that was met, after making sure that it is the one that this working directory
    /// knows.
    ///
    /// - Throws: ``EngineError/noRemote``; ``EngineError/lostConfiguration(url:)`` where there was one;
    ///   ``EngineError/otherRemote(url:)`` where another store stands behind the URL;
    ///   ``EngineError/otherHistory(url:)`` where it was put back from an old backup.
    func connect(_ meeting: Meeting) async throws -> Connection {
        guard let met = meeting.connection, let url = configuration.remote else {
            if let url = configuration.lostRemote(state) { throw EngineError.lostConfiguration(url: url) }
            throw EngineError.noRemote
        }
        let connection: Connection
        do {
            connection = try await met.value
        } catch RemoteError.otherHistory {
            throw EngineError.otherHistory(url: url)
        }
        if let known = state.remote {
            if known.identity != connection.identity {
                // A URL that the user changed may lead elsewhere; one that stayed must not.
                if known.url == url { throw EngineError.otherRemote(url: url) }
                try forgetRemote()
            } else if known.url != url {
                try transaction.record([.identity(connection.identity, url: url)])
            }
        }
        return connection
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

extension Configuration {
    /// Returns the URL of the remote that was met last, if what names it is not there any more; nil if
    /// nothing is lost.
    func lostRemote(_ state: State) -> String? { isMissing ? state.remote?.url : nil }
}

extension Surroundings {
    /// Tells the user of a configuration that was lost.
    func tellLoss(of configuration: Configuration, _ state: @autoclosure () throws -> State) rethrows {
        guard configuration.isMissing, configuration.lostRemote(try state()) != nil else { return }
        notice(
            "warning: .todosync/config.yaml is missing or empty: the remote, include and other settings are "
                + "lost; put them back before the next push or pull")
    }
}

extension State {
    /// What was pulled last and what was pushed last, which can be newer; nil if no remote was met yet.
    var knownHistory: KnownHistory? {
        remote.map { KnownHistory(identity: $0.identity, cursor: cursor, accepted: lastAccepted) }
    }
}
