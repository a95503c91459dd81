internal import LosslessYAML
internal import Platform
internal import TodoModel
internal import WorkingCopy

/// A connection to the working directory's remote.
struct Connection: Sendable {
    var remote: any Remote
    var identity: RemoteIdentity
    var url: String
    /// The first changes after a cursor, if they were already requested.
    var news: (after: Cursor?, batch: Result<RecordBatch, any Error>)?
    /// Answers operations instead of the remote; nil if they are sent.
    var rehearsal: RehearsedRemote?

    /// Sends operations and returns the answers.
    ///
    /// - Parameter cursor: The position up to which the remote's changes are recorded.
    func push(_ operations: [PushOperation], after cursor: Cursor?) async throws -> PushReply {
        if let rehearsal { return try await rehearsal.answers(to: operations, after: cursor) }
        return try await remote.push(operations)
    }
}

/// The first requests to a remote, which run while the folder is scanned.
struct Handshake {
    /// The connection in progress; nil if there is no remote.
    fileprivate let connection: Task<Connection, any Error>?

    /// The URL of a remote that is being opened, with the task that opens it.
    typealias Opened = (url: String, remote: Task<any Remote, any Error>)

    /// Begins to open the remote in a configuration; nil if it has none.
    static func open(_ configuration: Configuration, _ surroundings: Surroundings) -> Opened? {
        let connect = surroundings.connect
        return configuration.remote.map { url in
            (url, Task(executorPreference: WorkThreads.current) { try connect(url) })
        }
    }

    /// Begins to connect to the remote.
    ///
    /// - Parameters:
    ///   - wantsNews: Whether the caller reads the remote's changes next.
    ///   - readsAhead: Whether to read the first changes for ``Connection/news``.
    init(_ opened: Opened?, _ state: State, wantsNews: Bool, readsAhead: Bool) {
        let history = state.recordedHistory
        let cursor = state.cursor
        // Unanswered operations are resolved first and can be sent again, so changes that were read before
        // would be stale.
        let mayReadAhead = readsAhead && state.todos.loaded.values.allSatisfy { $0.sent == nil }
        connection = opened.map { url, opened in
            Task(executorPreference: WorkThreads.current) {
                let remote = try await opened.value
                let identity = try await remote.meet(history, wantsNews: wantsNews)
                var connection = Connection(remote: remote, identity: identity, url: url)
                if mayReadAhead, history.map({ $0.identity == identity }) ?? true {
                    do {
                        let batch = try await RecordBatch.read(from: connection, after: cursor)
                        connection.news = (cursor, .success(batch))
                    } catch {
                        connection.news = (cursor, .failure(error))
                    }
                }
                return connection
            }
        }
    }

    /// Returns the paths of the files that a pull affects; nil if the pull needs all files.
    ///
    /// A pull needs only these files if all changes are new texts of todos at their recorded paths, and
    /// nothing is unfinished.
    func pathsOfNews(_ state: State) async -> [String]? {
        guard let met = try? await connection?.valueUnlessCancelled, let batch = try? met.news?.batch.get(),
            batch.isLast,
            state.remote.map({ $0.identity == met.identity && $0.url == met.url }) ?? false,
            state.isAtRest, !state.isCursorMidway
        else { return nil }
        state.todos.readAhead(batch.records.compactMap(\.id))
        var paths = state.todos.loaded.values.compactMap(\.localPath)
        for record in batch.records {
            guard let recorded = record.id.flatMap({ state.todos[$0] }) else { return nil }
            if recorded.hasSeen(record.version) { continue }
            guard let localPath = recorded.localPath, let path = record.path,
                recorded.base?.todo?.path?.isSameBytes(as: path) == true
            else { return nil }
            paths.append(localPath)
        }
        return paths
    }

    /// Cancels the requests if they are still running.
    func end() async {
        connection?.cancel()
        _ = await connection?.result
    }
}

extension Handshake {
    /// Returns the connection to the remote.
    ///
    /// - Throws: ``EngineError/noRemote``; ``EngineError/lostConfiguration(url:)`` if there was a remote;
    ///   ``EngineError/otherHistory(url:)`` if the remote was restored from an old backup.
    func remote(of snapshot: Snapshot) async throws -> Connection {
        guard let connection, let url = snapshot.configuration.remote else {
            if let url = snapshot.configuration.lostRemote(snapshot.tracked) {
                throw EngineError.lostConfiguration(url: url)
            }
            throw EngineError.noRemote
        }
        do {
            return try await connection.valueUnlessCancelled
        } catch RemoteError.otherHistory {
            throw EngineError.otherHistory(url: url)
        }
    }
}

extension Snapshot {
    /// Returns the records to write after the handshake; empty if the remote is the recorded one, or if none
    /// is recorded.
    ///
    /// With a different remote, nothing recorded about the previous one applies: no todo counts as deleted,
    /// and all files are pending inserts. Only a command switches to it, because the configuration can come
    /// from anywhere, and all todos of both remotes would be merged.
    ///
    /// - Parameter named: The URLs that the user set with a command.
    /// - Throws: ``EngineError/otherRemote(url:)`` if a different store answers and the user didn't name it.
    func recordsOfHandshake(
        _ connection: Connection, _ named: NamedRemotes
    ) throws -> [JournalRecord] {
        guard let recorded = tracked.remote else { return [] }
        if recorded.identity == connection.identity {
            return recorded.url == connection.url
                ? [] : [.identity(connection.identity, url: connection.url)]
        }
        guard try recorded.url != connection.url && named.contains(connection.url) else {
            throw EngineError.otherRemote(url: connection.url)
        }
        return try recordsOfForgettingRemote()
    }

    func recordsOfForgettingRemote() throws -> [JournalRecord] {
        if let open = tracked.todos.loaded.first(where: { $0.value.conflict != nil }) {
            let path = folder.path(of: open.key) ?? open.value.conflict?.localPath ?? open.key.string
            throw EngineError.isConflicted(path: path)
        }
        return [.forgotten]
    }
}

extension LockedWorkspace {
    /// Forgets everything recorded about the remote.
    func forgetRemote() throws {
        try transaction.record(try snapshot.recordsOfForgettingRemote())
        try rescan()
    }
}

extension Task where Failure == any Error {
    /// The task's value.
    ///
    /// If the waiting task is cancelled, this task is, too.
    fileprivate var valueUnlessCancelled: Success {
        get async throws {
            try await withTaskCancellationHandler {
                try await value
            } onCancel: {
                cancel()
            }
        }
    }
}

extension Configuration {
    /// Returns the URL of the recorded remote if the configuration is missing; nil if nothing is lost.
    func lostRemote(_ state: State) -> String? { isMissing ? state.remote?.url : nil }
}

extension Surroundings {
    /// Warns the user about a lost configuration.
    func warnOfLoss(of configuration: Configuration, _ state: @autoclosure () throws -> State) rethrows {
        guard configuration.isMissing, configuration.lostRemote(try state()) != nil else { return }
        notice(
            "warning: .todosync/config.yaml is missing or empty: the remote, include and other settings are "
                + "lost; put them back before the next push or pull")
    }
}

extension State {
    /// Whether no operation is unfinished or unanswered, and no change is held, withheld or in conflict.
    fileprivate var isAtRest: Bool {
        openOperation == nil && deletes.isEmpty && guards == WithheldCounts()
            && todos.loaded.values.allSatisfy { todo in
                todo.unfinished == nil && todo.sent == nil && todo.held == nil && todo.conflict == nil
                    && !todo.isPathLocalOnly
            }
    }

    /// The last pull's cursor and the last push's operation, which can be newer; nil before the first contact
    /// with a remote.
    var recordedHistory: RecordedHistory? {
        remote.map { RecordedHistory(identity: $0.identity, cursor: cursor, accepted: lastAccepted) }
    }
}
