package import Logging
internal import LosslessYAML
package import TodoModel

/// A table on a server, as a remote.
///
/// The remote uses batches and deltas with a todosync server. With any other server of the tables protocol,
/// it sends one request for each operation and finds changes by their times.
package struct HTTPRemote: Remote {
    /// The maximum number of records in a page of changes, 1 to 1000.
    package let pageSize: Int
    let session: ServerSession

    /// Creates a remote without connecting.
    ///
    /// - Parameter url: `http(s)://HOST[:PORT][/PREFIX]/tables/TABLE`.
    /// - Throws: ``RemoteError/badURL(_:)``; ``RemoteError/badVariable(_:)`` if the environment names a proxy
    ///   or certificates that can't be used.
    package init(
        url string: String, surroundings: ServerSurroundings, pageSize: Int = 1000
    ) throws(RemoteError) {
        guard let url = ServerURL(string) else {
            throw .badURL(string)
        }
        self.pageSize = min(max(pageSize, 1), 1000)
        session = try ServerSession(url, surroundings)
    }

    package func meet(_ recorded: RecordedHistory?, wantsNews: Bool) async throws -> RemoteIdentity {
        try await throwingRemoteErrors {
            switch try await meet(Probe(recorded, wantsNews: wantsNews)) {
            case .identity(let identity): return identity
            case .otherHistory:
                // A different table has a different history.
                guard case .identity(let identity) = try await meet(Probe()) else {
                    throw InvalidResponse("its response does not identify the table")
                }
                if identity == recorded?.identity { throw RemoteError.otherHistory }
                return identity
            }
        }
    }

    /// Checks that the server accepts the key for this table and that the table exists; changes nothing.
    ///
    /// A table that the key may create counts as existing.
    /// - Throws: ``RemoteError/notAllowed(_:)``; ``RemoteError/noSuchTable(url:message:)``; another
    ///   ``RemoteError`` if the server can't be reached.
    package func checkAccess() async throws {
        try await throwingRemoteErrors {
            _ = try await meet(Probe())
            // For a table that doesn't exist yet, a todosync server returns changes, but not records.
            guard case .todosync? = session.kind else { return }
            let answer = try await session.exchange(
                ServerRequest(target: session.url.tablePath + "?$top=0"), flavor: .v2)
            guard answer.status == 200 else { throw session.error(for: answer) }
        }
    }

    package func changes(after cursor: Cursor?) async throws -> ChangePage {
        try await throwingRemoteErrors {
            let page =
                switch try await kind() {
                case .todosync(let identity):
                    if let page = session.takeFirstPage(after: cursor) {
                        page
                    } else {
                        try await delta(after: cursor, identity: identity)
                    }
                case .other(let flavor):
                    try await ForeignTable(session: session, flavor: flavor, pageSize: pageSize)
                        .changes(after: cursor)
                }
            try session.noteRead(page, after: cursor)
            return page
        }
    }

    package func push(_ operations: [PushOperation]) async throws -> PushReply {
        // Operations that break a rule aren't sent: a server could silently drop a reserved field.
        let refusals = operations.map { RecordRules.refusal(of: RecordWrite($0)) }
        let sent = zip(operations, refusals).filter { $0.1 == nil }.map(\.0)
        var reply = try await sent.isEmpty ? PushReply(answers: []) : send(sent)
        for (index, refusal) in refusals.enumerated() {
            guard let refusal else { continue }
            reply.answers.insert(.refused(status: refusal.status, message: refusal.message), at: index)
        }
        return reply
    }

    private func send(_ operations: [PushOperation]) async throws -> PushReply {
        // The writes make the page of changes from the first response outdated.
        session.forgetFirstPage()
        return try await throwingRemoteErrors {
            switch try await kind() {
            case .todosync: try await pushInBatches(operations)
            case .other(let flavor):
                PushReply(
                    answers: try await ForeignTable(session: session, flavor: flavor, pageSize: pageSize)
                        .push(operations))
            }
        }
    }

    /// Returns the kind of server, after asking the server if it isn't known yet.
    private func kind() async throws -> ServerKind {
        if let kind = session.kind { return kind }
        _ = try await meet(Probe())
        guard let kind = session.kind else {
            throw InvalidResponse("its response does not identify the table")
        }
        return kind
    }

    /// Runs an exchange, and converts the errors that stop it to a ``RemoteError`` with the server's URL.
    func throwingRemoteErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let failure as TransferFailure {
            throw RemoteError.unreachable(url: session.url.string, reason: failure.reason)
        } catch let invalid as InvalidResponse {
            throw RemoteError.badResponse(url: session.url.string, reason: invalid.reason)
        }
    }
}

/// The system services that a server's remote uses.
///
/// `main` and tests create them.
package struct ServerSurroundings: Sendable {
    /// Returns a transport for a server, without connecting yet.
    ///
    /// It throws ``RemoteError/badVariable(_:)`` if the environment names a proxy or certificates that can't
    /// be used, and ``RemoteError/withoutHTTP`` if the program was built without HTTP.
    package var transport: @Sendable (_ server: ServerOrigin) throws(RemoteError) -> any ServerTransport
    /// Returns the key for a server; nil if there isn't one.
    ///
    /// This is called once, before the first request.
    package var key: @Sendable (_ server: ServerOrigin) async throws -> String?
    /// Returns the given number of unpredictable bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    /// Waits before a request is retried.
    package var wait: @Sendable (Duration) async throws -> Void
    /// Receives each feature that the server lacks, once per open remote.
    package var lacks: @Sendable (_ feature: ServerFeature) -> Void
    /// Receives each request and response; nil to log nothing.
    package var logger: Logger?

    package init(
        transport:
            @escaping @Sendable (_ server: ServerOrigin) throws(RemoteError) -> any ServerTransport,
        key: @escaping @Sendable (_ server: ServerOrigin) async throws -> String?,
        randomBytes: @escaping @Sendable (Int) -> [UInt8],
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        lacks: @escaping @Sendable (_ feature: ServerFeature) -> Void = { _ in },
        logger: Logger? = nil
    ) {
        self.transport = transport
        self.key = key
        self.randomBytes = randomBytes
        self.wait = wait
        self.lacks = lacks
        self.logger = logger
    }
}

/// A feature that a server of the tables protocol can lack.
package enum ServerFeature: Sendable, Hashable {
    /// Tombstones, which show other clients that records were deleted.
    case tombstones
    /// Values that are lists or objects, including the property `todosync`.
    case nestedValues
}
