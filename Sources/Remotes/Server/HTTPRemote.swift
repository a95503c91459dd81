internal import LosslessYAML
package import TodoModel

/// A table of a server, as a remote.
///
/// With a server of todosync's own it speaks in batches and deltas; with any other of the tables protocol in
/// single requests, and looks for news by the times of writing.
package struct HTTPRemote: Remote {
    /// The records that a page of changes has at most, 1 to 1000.
    package let pageSize: Int
    let session: ServerSession

    /// Creates a remote without connecting.
    ///
    /// - Parameter url: `http(s)://HOST[:PORT][/PREFIX]/tables/TABLE`.
    /// - Throws: ``RemoteError/badURL(_:)``; ``RemoteError/badVariable(_:)`` if the environment names a proxy
    ///   or certificates that can't be used.
    package init(url: String, surroundings: ServerSurroundings, pageSize: Int = 1000) throws(RemoteError) {
        try self.init(url: url, surroundings: surroundings, pageSize: pageSize, timeouts: ServerTimeouts())
    }

    init(
        url string: String, surroundings: ServerSurroundings, pageSize: Int, timeouts: ServerTimeouts
    ) throws(RemoteError) {
        guard let url = ServerURL(string) else {
            throw .badURL(string)
        }
        self.pageSize = min(max(pageSize, 1), 1000)
        session = try ServerSession(url, surroundings, timeouts: timeouts)
    }

    package func meet(_ known: KnownHistory?, wantsNews: Bool) async throws -> RemoteIdentity {
        try await telling {
            switch try await meet(Probe(known, wantsNews: wantsNews)) {
            case .identity(let identity): return identity
            case .otherHistory:
                // Of another table's history it is no wonder: which one is this?
                guard case .identity(let identity) = try await meet(Probe()) else {
                    throw NonsenseAnswer("it can't say which table it is")
                }
                if identity == known?.identity { throw RemoteError.otherHistory }
                return identity
            }
        }
    }

    /// Makes sure that the server takes the key for this table, and has the table; changes nothing.
    ///
    /// A table that the key may make counts as there.
    /// - Throws: ``RemoteError/notAllowed(_:)``; ``RemoteError/noSuchTable(url:message:)``; another
    ///   ``RemoteError`` if the server can't be asked.
    package func checkAccess() async throws {
        try await telling {
            _ = try await meet(Probe())
            // A server of ours has changes of a table before it is made; its list of records tells.
            guard case .todosync? = session.kind else { return }
            let answer = try await session.exchange(
                ServerRequest(target: session.url.tablePath + "?$top=0"), flavour: .v2)
            guard answer.status == 200 else { throw session.error(for: answer) }
        }
    }

    package func changes(after cursor: Cursor?) async throws -> ChangePage {
        try await telling {
            let page =
                switch try await kind() {
                case .todosync(let identity):
                    if let page = session.takeFirstPage(after: cursor) {
                        page
                    } else {
                        try await delta(after: cursor, identity: identity)
                    }
                case .other(let flavour):
                    try await ForeignTable(session: session, flavour: flavour, pageSize: pageSize)
                        .changes(after: cursor)
                }
            try session.noteRead(page)
            return page
        }
    }

    package func push(_ operations: [PushOperation]) async throws -> PushReply {
        // What breaks a rule is not sent: a server may drop a reserved field without a word.
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
        // What is written now makes the page that came with the meeting an old one.
        session.forgetFirstPage()
        return try await telling {
            switch try await kind() {
            case .todosync: try await pushInBatches(operations)
            case .other(let flavour):
                PushReply(
                    answers: try await ForeignTable(session: session, flavour: flavour, pageSize: pageSize)
                        .push(operations))
            }
        }
    }

    /// Returns what the server is; asks it if nothing else has.
    private func kind() async throws -> ServerKind {
        if let kind = session.kind { return kind }
        _ = try await meet(Probe())
        guard let kind = session.kind else { throw NonsenseAnswer("it can't say which table it is") }
        return kind
    }

    /// Runs an exchange, and turns the errors that stop it into a ``RemoteError`` with the server's URL.
    private func telling<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let failure as TransferFailure {
            throw RemoteError.unreachable(url: session.url.string, reason: failure.reason)
        } catch let nonsense as NonsenseAnswer {
            throw RemoteError.badAnswer(url: session.url.string, reason: nonsense.reason)
        }
    }
}
