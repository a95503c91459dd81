#if PostgreSQL
    import Foundation
    import LosslessYAML
    import TestSupport
    import Testing
    import TodoModel
    @testable import Remotes

    extension FaultTarget {
        /// Creates the target for a server's standard table.
        ///
        /// Writes have no operation ids, so a retry inside the store must not rely on them.
        init(_ store: Store) {
            let table = store.table(.standard)
            self.init { operation in
                var write = RecordWrite(operation)
                write.operationID = nil
                switch try await table.write([write])[0] {
                case .done(let stored): return .accepted(stored.record.version)
                case .conditionFailed(let stored), .exists(let stored): return .movedOn(stored.record)
                case let answer: return .refused(status: 500, message: "\(answer)")
                }
            } changes: { cursor, pageSize in
                var table = table
                table.pageSize = pageSize
                return try await table.changes(after: cursor)
            }
        }
    }

    /// Writers and readers while connections are cut and servers crash.
    ///
    /// `TODOSYNC_DATABASE_SECONDS=3600` runs each test that long.
    @Suite(.serialized, .ownThreads, .timeLimit(.minutes(90))) struct `Faults of PostgreSQL` {
        /// Several servers of one store, behind a proxy.
        struct Servers {
            let database: TestDatabase
            let proxy: MessageProxy
            let stores: [Store]

            init(in cluster: PostgresCluster? = nil, replacing replacements: [(String, String)] = [])
                async throws
            {
                database = try TestDatabase(in: cluster)
                proxy = try MessageProxy(of: database.cluster.folder, seed: 7)
                for (text, replacement) in replacements { proxy.replace(text, with: replacement) }
                stores = try await database.stores(3, on: [proxy.folder])
            }
        }

        private static func pause(_ milliseconds: Int) async throws {
            try await Task.sleep(for: .milliseconds(milliseconds))
        }

        /// Waits until enough has happened to test something, even on a busy machine.
        private static func wait(until isEnough: () -> Bool) async throws {
            for _ in 0..<1_000 where !isEnough() { try await pause(100) }
            #expect(isEnough())
        }

        @Test func `no write is lost or doubled, and no change is skipped, while connections are cut`()
            async throws
        {
            let servers = try await Servers()
            let run = FaultRun(servers.stores.map(FaultTarget.init))
            try await run.run(writers: 8, readers: 3) {
                servers.proxy.cut(oneOf: 200)
                try await Self.pause(FaultRun.seconds * 1000)
                try await Self.wait { run.answeredCount > 100 && servers.proxy.cutCount > 50 }
            } recovery: {
                servers.proxy.cut(oneOf: 0)
            }
            #expect(run.problems == [])
        }

        @Test func `a check doesn't wait for a database that can't be reached, as a read does`() async throws
        {
            let servers = try await Servers()
            let store = servers.stores[0]
            try await store.check()
            servers.proxy.cut(oneOf: 1)
            await #expect(throws: RemoteError.self) { try await store.check() }
            // Each try is cut once or twice.
            #expect(servers.proxy.cutCount <= 4)
            servers.proxy.cut(oneOf: 0)
            // The pool's connection was cut, but a new one works.
            try await store.check()
        }

        @Test func `no write is lost or doubled, and no change is skipped, while the database crashes`()
            async throws
        {
            let cluster = try PostgresCluster()
            defer { withExtendedLifetime(cluster) {} }
            let servers = try await Servers(in: cluster)
            let run = FaultRun(servers.stores.map(FaultTarget.init))
            try await run.run(writers: 8, readers: 3) {
                for round in 0..<max(1, FaultRun.seconds / 3) {
                    try await Self.pause(700)
                    try cluster.terminateConnections(to: servers.database.name)
                    try await Self.pause(700)
                    if round.isMultiple(of: 2) {
                        try cluster.killConnection(to: servers.database.name)
                    } else {
                        try cluster.restartAtOnce()
                    }
                    try await Self.pause(1600)
                }
                try await Self.wait { run.answeredCount > 100 }
            } recovery: {
            }
            #expect(run.problems == [])
        }

        @Test func `no write is lost or doubled when a replica becomes the primary`() async throws {
            let primary = try PostgresCluster()
            let replica = try PostgresCluster(replicaOf: primary)
            defer { withExtendedLifetime((primary, replica)) {} }
            try primary.waitForReplica()
            let stores = try await TestDatabase(in: primary).stores(3, on: [primary.folder, replica.folder])
            let run = FaultRun(stores.map(FaultTarget.init))
            try await run.run(writers: 8, readers: 3) {
                try await Self.pause(1500)
                try primary.stopAtOnce()
                try replica.promote()
                // The new primary has no replica that commits could wait for.
                try replica.run("ALTER SYSTEM RESET synchronous_standby_names", in: "postgres")
                try replica.run("SELECT pg_reload_conf()", in: "postgres")
                try await Self.pause(3000)
                try await Self.wait { run.answeredCount > 100 }
            } recovery: {
            }
            #expect(run.problems == [])
        }

        @Test func `a replica that lacks commits is another history for those who have seen them`()
            async throws
        {
            let primary = try PostgresCluster()
            let replica = try PostgresCluster(replicaOf: primary)
            defer { withExtendedLifetime((primary, replica)) {} }
            let stores = try await TestDatabase(in: primary).stores(1, on: [primary.folder, replica.folder])
            let table = stores[0].table(.standard)
            _ = try await table.write([.testing("early")])
            let early = try await table.changes(after: nil).next
            try replica.stopAtOnce()
            _ = try await table.write([.testing("late")])
            let late = try await table.changes(after: nil).next
            try primary.stopAtOnce()
            try replica.start()
            try replica.promote()
            try await table.verify(early)
            await #expect(throws: RemoteError.otherHistory) { try await table.verify(late) }
            for number in 0..<20 { _ = try await table.write([.testing("later \(number)")]) }
            try await table.verify(early)
            await #expect(throws: RemoteError.otherHistory) { try await table.verify(late) }
            #expect(try await table.record(id: "late") == nil)
        }

        /// A change to the statements that breaks a guarantee.
        struct Mutant: Sendable, CustomTestStringConvertible {
            let testDescription: String
            var preparation = ""
            let replacements: [(String, String)]
            var cutRate = 0
        }

        static let mutants = [
            Mutant(
                testDescription: "tables are locked only by their update, after the read",
                replacements: [("FOR NO KEY UPDATE", "")]),
            Mutant(
                testDescription: "sequences come from a sequence of PostgreSQL, without a lock",
                preparation: "CREATE SEQUENCE todosync.numbers INCREMENT 1000",
                replacements: [
                    (
                        "SELECT key, sequence, updated_at, has_folded_ids, name",
                        "SELECT key, nextval('numbers'), updated_at, has_folded_ids, name"
                    ),
                    ("FOR NO KEY UPDATE", ""),
                ]),
            Mutant(
                testDescription: "marks are left out",
                replacements: [
                    ("INSERT INTO history (todo_table, sequence, mark)", "WITH marks AS (SELECT 1)")
                ]),
            Mutant(
                testDescription: "the marks don't tell that a transaction was committed",
                replacements: [("sequence = $2 AND mark = $3", "sequence = $2 AND mark <> $3")], cutRate: 100),
            Mutant(
                testDescription: "answers come before the commit, which is lost",
                replacements: [("COMMIT", "ROLLBACK")]),
        ]

        @Test(arguments: mutants)
        func `a broken rule is noticed`(_ mutant: Mutant) async throws {
            let servers = try await Servers(replacing: mutant.replacements)
            if !mutant.preparation.isEmpty {
                try servers.database.cluster.run(mutant.preparation, in: servers.database.name)
            }
            let run = FaultRun(servers.stores.map(FaultTarget.init))
            var (seconds, isNoticed) = (0, false)
            repeat {
                seconds += 3
                try await run.run(writers: 8, readers: 3) {
                    servers.proxy.cut(oneOf: mutant.cutRate)
                    try await Self.pause(3000)
                } recovery: {
                    servers.proxy.cut(oneOf: 0)
                }
                // Without faults, every write has an answer. The history's primary key refuses the same
                // sequence twice.
                isNoticed = !run.problems.isEmpty || mutant.cutRate == 0 && run.unansweredCount > 0
            } while !isNoticed && seconds < 30
            #expect(isNoticed)
        }
    }
#endif
