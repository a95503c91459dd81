#if PostgreSQL
    import TestSupport
    import Testing
    import TodoModel
    @testable import Remotes

    /// Servers behind PgBouncer, which runs each transaction in any of its sessions.
    @Suite(.ownThreads) struct PostgresPoolerTests {
        /// A database, its pooler, and servers that use it.
        private struct Setup {
            let database: TestDatabase
            let pooler: String
            let address: DatabaseAddress

            /// - Parameter size: The number of sessions that all servers share.
            init(size: Int) throws {
                database = try TestDatabase()
                pooler = try database.cluster.startPooler(size: size)
                let url = "postgresql://postgres@/\(database.name)?host=\(pooler)"
                address = try #require(DatabaseAddress(url))
            }

            /// Creates the store through the pooler, and opens it for a number of servers.
            func stores(_ count: Int) async throws -> [Store] {
                var stores = [try await Store.create(in: address, surroundings: .testing)]
                while stores.count < count {
                    stores.append(try await Store.open(address, surroundings: .testing))
                }
                return stores
            }
        }

        private static let servers = Task { try await Setup(size: 3).stores(2) }

        @Test(arguments: RemoteConformance.all + RemoteConformance.waiting)
        func `a table behind a pooler conforms`(_ conformance: RemoteConformance) async throws {
            let servers = try await Self.servers.value
            try await conformance.check { pageSize in
                let table = try #require(TableName("pooled_\(nextNumber())"))
                var (one, other) = (servers[0].table(table), servers[1].table(table))
                one.pageSize = pageSize
                other.pageSize = pageSize
                return (one, other)
            }
        }

        @Test func `nothing stays in a pooler's session`() async throws {
            let setup = try Setup(size: 1)
            let database = setup.database
            func session() throws -> String {
                try database.cluster.run(
                    """
                    SELECT current_setting('search_path'), current_setting('plan_cache_mode'),
                        current_setting('statement_timeout'), current_setting('lock_timeout'),
                        current_setting('idle_in_transaction_session_timeout'),
                        (SELECT count(*) FROM pg_prepared_statements),
                        (SELECT count(*) FROM pg_listening_channels()),
                        (SELECT count(*) FROM pg_locks
                            WHERE locktype = 'advisory' AND pid = pg_backend_pid())
                    """, in: database.name, at: setup.pooler)
            }
            let before = try session()
            #expect(before == #""$user", public|auto|0|0|0|0|0|0"#)
            let store = try await setup.stores(1)[0]
            let key = AccessKey(name: "k", table: nil, access: .read, isAnonymous: false, createdAt: 0)
            let secret = try await store.addKey(key).secret
            #expect(try await store.keys(shown: [secret ?? ""]).key?.name == "k")
            _ = try await store.table(.standard).write([.testing("a")])
            let page = try await store.table(.standard).changes(after: nil)
            #expect(page.records.map(\.id) == ["a"])
            _ = try await store.engine.otherWrites { [.standard] }
            #expect(try session() == before)
        }

        @Test func `a commit waits for the disk even if the database's commits don't`() async throws {
            let setup = try Setup(size: 1)
            try setup.database.cluster.run(
                "ALTER DATABASE \(setup.database.name) SET synchronous_commit = off", in: "postgres")
            let address = setup.address
            for connectionString in [address.connectionString, setup.database.address.connectionString] {
                let pool = PostgresPool(connectionString: connectionString, size: 1)
                let value = try await pool.run { connection in
                    try connection.transaction("BEGIN") {
                        try connection.run(PostgresCommand(sql: "SHOW synchronous_commit")).first?.string(0)
                    }
                }
                #expect(value == "on")
                try await pool.close()
            }
        }

        @Test func `an upgrade needs the database's own address`() async throws {
            let setup = try Setup(size: 1)
            let store = try await setup.stores(1)[0]
            try await store.close()
            // A store that needs no upgrade is not refused.
            #expect(try await PostgresEngine.upgrade(setup.address) == PostgresSchema.format)
            let path = setup.address.description
            let pool = PostgresPool(connectionString: setup.address.connectionString, size: 1)
            await #expect(throws: StoreError.database(path: path, .pooled)) {
                try await pool.run { try PostgresSchema.upgrade(on: $0, path: path, with: [[]]) }
            }
            try await pool.close()
        }

        @Test func `no write is lost or doubled while a pooler's sessions are ended`() async throws {
            let setup = try Setup(size: 4)
            let run = FaultRun(try await setup.stores(3).map(FaultTarget.init))
            try await run.run(writers: 8, readers: 3) {
                for _ in 0..<max(3, FaultRun.seconds) {
                    try await Task.sleep(for: .seconds(1))
                    try setup.database.cluster.terminateConnections(to: setup.database.name)
                }
                for _ in 0..<1_000 where run.answeredCount <= 100 {
                    try await Task.sleep(for: .milliseconds(100))
                }
            } recovery: {
            }
            #expect(run.problems == [])
            #expect(run.answeredCount > 100)
        }
    }

    /// What PostgreSQL's errors are for users and clients.
    @Suite struct PostgresErrorTests {
        @Test(arguments: [
            ("42P05", "refused"), ("26000", "refused"), ("42P01", "refused"), ("42703", "refused"),
            ("0A000", "refused"), ("22021", "refused"), ("23505", "refused"), ("54000", "refused"),
            ("25001", "refused"), ("3D000", "refused"), ("28P01", "refused"), ("P0001", "refused"),
            ("57014", "unreachable"), ("57P01", "unreachable"), ("57P04", "unreachable"),
            ("53200", "unreachable"), ("53300", "unreachable"), ("53400", "unreachable"),
            ("08P01", "unreachable"), ("25P03", "unreachable"), ("25006", "unreachable"),
            ("40001", "busy"), ("40P01", "busy"), ("55P03", "busy"),
            ("53100", "full"), ("42501", "not permitted"), ("58030", "input"),
            ("XX000", "refused"), ("XX001", "damaged"), ("XX002", "damaged"),
        ])
        func `only damaged rows and indexes are damage`(code: String, kind: String) {
            let error = PostgresError(state: PostgresError.State(code: code), message: "m")
            let expected: StoreError =
                switch kind {
                case "refused": .database(path: "p", .refused("m (\(code))"))
                case "unreachable": .database(path: "p", .unreachable("m"))
                case "busy": .busy(path: "p")
                case "full": .diskFull(path: "p")
                case "not permitted": .notPermitted(path: "p")
                case "input": .inputOutput(path: "p", detail: "m")
                default: .damaged(path: "p", detail: "m (\(code))")
                }
            #expect(StoreError(error, path: "p") == expected)
        }

        @Test func `a statement that an administrator cancels can be retried`() async throws {
            let database = try TestDatabase()
            let store = try await database.stores()[0]
            let reading = Task {
                try await store.read { reader in
                    let sleep = PostgresCommand(sql: "SELECT pg_sleep(60)::text")
                    _ = try (reader as? PostgresReader)?.connection.run(sleep)
                }
            }
            let cancellation = """
                SELECT pg_cancel_backend(pid) FROM pg_stat_activity
                WHERE datname = '\(database.name)' AND query LIKE '%pg_sleep%'
                """
            while try database.cluster.run(cancellation, in: "postgres") != "t" {}
            let result = await reading.result
            guard case .failure(RemoteError.store(let error)) = result else {
                return #expect(Bool(false), "\(result)")
            }
            #expect(error.isTemporary, "\(error)")
        }
    }
#endif
