#if PostgreSQL
    import LosslessYAML
    import TestSupport
    import Testing
    import TodoModel
    @testable import Remotes

    /// A store whose tables are read from a replica.
    @Suite(.ownThreads) struct PostgresReplicaTests {
        /// A store with a primary, and a replica that has already answered.
        private struct Setup {
            let primary: PostgresCluster
            let replica: PostgresCluster
            let store: Store
            var table: StoreTable { store.table(.standard) }

            init() async throws {
                primary = try PostgresCluster()
                replica = try PostgresCluster(replicaOf: primary)
                store = try await TestDatabase(in: primary).stores(1, on: [primary.folder, replica.folder])[0]
                _ = try await table.write([.testing("first")])
                try await store.waitForReplica()
            }

            func pauseReplica() throws { try replica.run("SELECT pg_wal_replay_pause()", in: "postgres") }
            func resumeReplica() throws { try replica.run("SELECT pg_wal_replay_resume()", in: "postgres") }

            var reads: ReplicaReads { store.engine.replicaReads }
        }

        @Test func `a replica that is behind isn't read`() async throws {
            let setup = try await Setup()
            let table = setup.table
            try setup.pauseReplica()
            let before = setup.reads
            let cursor = try await table.changes(after: nil).next
            // The replica has all writes until now.
            #expect(setup.reads.answered == before.answered + 1)
            let answer = try await table.write([.testing("new")])[0]
            guard case .done(let stored) = answer else { return #expect(Bool(false), "\(answer)") }
            #expect(try await table.record(id: "new") == stored)
            #expect(try await table.changes(after: cursor).records.map(\.id) == ["new"])
            #expect(try await table.records(RecordQuery()).records.map(\.record.id).contains("new"))
            #expect(setup.reads.answered == before.answered + 1)
            #expect(setup.reads.refused == before.refused + 3)
            // For another table, the replica is as new as the primary.
            let other = setup.store.table(try #require(TableName("other")))
            #expect(try await !other.exists())
            try setup.resumeReplica()
            try await setup.store.waitForReplica()
            #expect(try await table.changes(after: cursor).records.map(\.id) == ["new"])
        }

        @Test func `a client reads its own writes while others write`() async throws {
            let setup = try await Setup()
            try await withThrowingTaskGroup { group in
                for client in 0..<4 {
                    group.addTask {
                        let table = setup.store.table(try #require(TableName("table_\(client % 2)")))
                        var cursor: Cursor?
                        for number in 0..<50 {
                            let id = "\(client) \(number)"
                            _ = try await table.write([.testing(id)])
                            if number.isMultiple(of: 5) { try await Task.sleep(for: .milliseconds(5)) }
                            let page = try await table.changes(after: cursor)
                            #expect(page.records.map(\.id).contains(id))
                            cursor = page.next
                            #expect(try await table.changes(after: cursor).isLast)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(setup.reads.answered > 20)
        }

        @Test func `reads go on while a replica is away`() async throws {
            let setup = try await Setup()
            let cursor = try await setup.table.changes(after: nil).next
            try setup.replica.stopAtOnce()
            for _ in 0..<5 {
                #expect(try await setup.table.changes(after: cursor).records.isEmpty)
            }
            _ = try await setup.table.write([.testing("new")])
            #expect(try await setup.table.changes(after: cursor).records.map(\.id) == ["new"])
            try setup.replica.start()
            try await setup.store.waitForReplica()
        }

        @Test func `no read waits for a host that doesn't answer`() async throws {
            let primary = try PostgresCluster.shared.get()
            let store = try await TestDatabase(in: primary).stores(1, on: [primary.folder, "192.0.2.1"])[0]
            for number in 0..<20 {
                _ = try await store.table(.standard).write([.testing("\(number)")])
                #expect(try await store.table(.standard).changes(after: nil).records.count == number + 1)
            }
            // No read waited for that host.
            #expect(store.engine.replicaReads == ReplicaReads())
        }

        @Test func `a replica with another history isn't read`() async throws {
            let first = try PostgresCluster()
            let (second, third) = (
                try PostgresCluster(replicaOf: first), try PostgresCluster(replicaOf: first)
            )
            let database = try TestDatabase(in: first)
            let store = try await database.stores(1, on: [first.folder, second.folder, third.folder])[0]
            let table = store.table(.standard)
            _ = try await table.write([.testing("early")])
            let cursor = try await table.changes(after: nil).next
            try await store.waitForReplica()
            // The third cluster has writes that the new primary lacks.
            try await Self.waitForWrites(of: first, on: second)
            try second.stopAtOnce()
            for number in 0..<5 { _ = try await table.write([.testing("lost \(number)")]) }
            try await Self.waitForWrites(of: first, on: third)
            try first.stopAtOnce()
            try second.start()
            try second.promote()
            for number in 0..<2 { _ = try await table.write([.testing("later \(number)")]) }
            // The store asks the third cluster, whose newer sequence belongs to another history.
            let before = store.engine.replicaReads.refused
            for _ in 0..<1_000 where store.engine.replicaReads.refused < before + 5 {
                let page = try await table.changes(after: cursor)
                #expect(page.records.map(\.id) == ["later 0", "later 1"])
                #expect(try await table.record(id: "lost 4") == nil)
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(store.engine.replicaReads.refused >= before + 5)
        }

        /// Waits until a replica has the writes of a primary.
        private static func waitForWrites(of primary: PostgresCluster, on replica: PostgresCluster)
            async throws
        {
            let end = try primary.run("SELECT pg_current_wal_lsn()", in: "postgres")
            for _ in 0..<600 {
                let isThere = try replica.run(
                    "SELECT pg_last_wal_replay_lsn() >= '\(end)'", in: "postgres")
                if isThere == "t" { return }
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(Bool(false), "the replica does not follow")
        }
    }

    extension Store {
        /// Waits until a replica answers.
        func waitForReplica() async throws {
            let table = table(try #require(TableName("replicated")))
            _ = try await table.write([.testing("write \(nextNumber())")])
            let before = engine.replicaReads.answered
            for _ in 0..<1_000 where engine.replicaReads.answered == before {
                _ = try await table.exists()
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(engine.replicaReads.answered > before)
        }
    }
#endif
