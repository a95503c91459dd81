#if PostgreSQL
    import TestSupport
    import Testing
    import TodoModel
    @testable import Remotes

    @Suite struct `PostgreSQL conformance` {
        /// One database for all tests: every remote is a new table.
        private static let servers = Task {
            let stores = try await TestDatabase().stores(2)
            return (stores[0], stores[1])
        }

        @Test(arguments: RemoteConformance.all + RemoteConformance.waiting)
        func `a table in PostgreSQL conforms`(_ conformance: RemoteConformance) async throws {
            let (first, _) = try await Self.servers.value
            try await conformance.check { pageSize in
                let table = try #require(TableName("one_\(nextNumber())"))
                var remote = first.table(table)
                remote.pageSize = pageSize
                return (remote, remote)
            }
        }

        @Test(arguments: RemoteConformance.all + RemoteConformance.waiting)
        func `a table that two servers offer conforms`(_ conformance: RemoteConformance) async throws {
            let (first, second) = try await Self.servers.value
            try await conformance.check { pageSize in
                let table = try #require(TableName("two_\(nextNumber())"))
                var (one, other) = (first.table(table), second.table(table))
                one.pageSize = pageSize
                other.pageSize = pageSize
                return (one, other)
            }
        }

        /// A primary and a replica, and two servers that use both.
        private static let replicated = Task {
            let primary = try PostgresCluster()
            let replica = try PostgresCluster(replicaOf: primary)
            let stores = try await TestDatabase(in: primary).stores(2, on: [primary.folder, replica.folder])
            for store in stores { try await store.waitForReplica() }
            return (stores, [primary, replica])
        }

        @Test(arguments: RemoteConformance.all + RemoteConformance.waiting)
        func `a table that is read from a replica conforms`(_ conformance: RemoteConformance) async throws {
            let (stores, clusters) = try await Self.replicated.value
            defer { withExtendedLifetime(clusters) {} }
            try await conformance.check { pageSize in
                let table = try #require(TableName("three_\(nextNumber())"))
                var (one, other) = (stores[0].table(table), stores[1].table(table))
                one.pageSize = pageSize
                other.pageSize = pageSize
                return (one, other)
            }
        }
    }
#endif
