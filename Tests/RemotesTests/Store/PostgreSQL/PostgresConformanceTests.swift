#if PostgreSQL
    import Remotes
    import TestSupport
    import Testing
    import TodoModel

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
    }
#endif
