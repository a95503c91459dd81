#if PostgreSQL
    import Foundation
    import HTTPTransport
    import Remotes
    import Synchronization
    import TestSupport
    import Testing
    import TodoModel

    /// Writers and readers of a store in PostgreSQL while its servers are killed.
    ///
    /// `TODOSYNC_DATABASE_SECONDS=3600` runs it that long.
    @Suite(.ownThreads, .timeLimit(.minutes(90))) struct DatabaseFaultTests {
        @Test func `no write is lost or doubled, and no change is skipped, while servers are killed`()
            async throws
        {
            let cluster = try PostgresCluster()
            defer { withExtendedLifetime(cluster) {} }
            let url = try cluster.createDatabase("killed")
            let servers = try KilledServers(3, store: url)
            let retries = Retries()
            let run = FaultRun(
                try servers.tables.map { try FaultTarget($0, others: servers.tables, retries: retries) })
            let isEnough = { @Sendable in run.answeredCount >= 100 && retries.count >= 20 }
            try await run.run(writers: 8, readers: 3) {
                var random = SplitMix64(seed: 5)
                let end = ContinuousClock.now + .seconds(FaultRun.seconds)
                var round = 0
                // A busy machine needs more rounds to test something.
                while ContinuousClock.now < end || round < 6 || round < 200 && !isEnough() {
                    round += 1
                    try await Task.sleep(for: .milliseconds(Int.random(in: 100...600, using: &random)))
                    try await servers.killOne(Int.random(in: 0..<3, using: &random))
                    switch round % 6 {
                    case 2: try cluster.terminateConnections(to: "killed")
                    case 4: try cluster.killConnection(to: "killed")
                    case 0: try cluster.restartAtOnce()
                    default: break
                    }
                }
            } recovery: {
            }
            #expect(isEnough())
            #expect(run.problems == [])
            // Every write is retried until it is answered.
            #expect(run.unansweredCount == 0)
            let check = try ChildProcess.run([TestedBinary.path, "fsck", "--store", url])
            #expect(String(decoding: check.output, as: UTF8.self) == "all is well\n")
        }
    }

    /// Servers of a store that are killed and started again.
    private actor KilledServers {
        private let store: String
        private var servers: [ServerProcess]
        /// The URLs of the servers' tables.
        nonisolated let tables: [String]

        init(_ count: Int, store: String) throws {
            self.store = store
            let created = try ChildProcess.run(
                [TestedBinary.path, "serve", "store", "create", "--store", store])
            try #require(created.status == 0, "\(String(decoding: created.errors, as: UTF8.self))")
            servers = try (0..<count).map { _ in try ServerProcess(in: ThrowAwayFolder(), store: store) }
            tables = servers.map { $0.url + "/tables/todoitem" }
        }

        func killOne(_ index: Int) async throws {
            let address = servers[index].url.replacing("http://", with: "")
            servers[index].signal(SIGKILL)
            _ = servers[index].end()
            // A server doesn't start while the database is unavailable.
            for _ in 0..<50 {
                if let server = try? ServerProcess(
                    "--listen", address, in: ThrowAwayFolder(), store: store)
                {
                    servers[index] = server
                    return
                }
                try await Task.sleep(for: .milliseconds(200))
            }
            Issue.record("a server does not start again")
        }
    }

    /// Counts the requests that were sent again.
    private final class Retries: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    extension FaultTarget {
        /// Creates the target for a server's table, which retries operations on all servers.
        fileprivate init(_ url: String, others: [String], retries: Retries) throws {
            let urls = [url] + others.filter { $0 != url }
            let remotes = try urls.map {
                try HTTPRemote(
                    url: $0,
                    surroundings: ServerSurroundings(
                        transport: { server throws(RemoteError) in
                            try HTTPConnections(server, environment: { _ in nil })
                        }, key: { _ in nil },
                        randomBytes: { count in (0..<count).map { _ in .random(in: 0...255) } },
                        wait: { _ in
                            retries.add()
                            try await Task.sleep(for: .milliseconds(50))
                        }), pageSize: 40)
            }
            self.init { operation in
                var last: any Error = RemoteError.unanswered(url: url, reason: "no answer")
                for round in 0..<200 {
                    if round > 0 { retries.add() }
                    do {
                        let answer = try await remotes[round % remotes.count].push([operation]).answers[0]
                        if case .unknown = answer { continue }
                        return answer
                    } catch let error as RemoteError where error.isUnavailable {
                        last = error
                        try await Task.sleep(for: .milliseconds(100))
                    }
                }
                throw last
            } changes: { cursor, _ in
                try await remotes[0].changes(after: cursor)
            }
        }
    }
#endif
