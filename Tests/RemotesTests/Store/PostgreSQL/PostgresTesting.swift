#if PostgreSQL
    import Foundation
    import Remotes
    import Synchronization
    import TestSupport
    import Testing

    /// The number of databases and tables that tests have created.
    private let lastNumber = Mutex(0)

    func nextNumber() -> Int {
        lastNumber.withLock { number in
            number += 1
            return number
        }
    }

    /// A database with a new store, which several servers can use.
    struct TestDatabase {
        let cluster: PostgresCluster
        let name: String
        let address: DatabaseAddress

        /// Creates a database without a store, by default in the cluster that all tests share.
        init(in cluster: PostgresCluster? = nil) throws {
            self.cluster = try cluster ?? PostgresCluster.shared.get()
            name = "test_\(nextNumber())"
            let url = try self.cluster.createDatabase(name)
            guard let address = DatabaseAddress(url) else {
                preconditionFailure("not a database's URL: \(url)")
            }
            self.address = address
        }

        /// Creates the store, and opens it for a number of servers.
        func stores(_ count: Int = 1) async throws -> [Store] {
            var stores = [try await Store.create(in: address, surroundings: .testing)]
            while stores.count < count {
                stores.append(try await Store.open(address, surroundings: .testing))
            }
            return stores
        }

        /// Creates the store, and opens it for a number of servers that use other hosts.
        func stores(_ count: Int, on hosts: [String]) async throws -> [Store] {
            _ = try await stores()
            let host = hosts.joined(separator: ",")
            let address = try #require(DatabaseAddress("postgresql://postgres@/\(name)?host=\(host)"))
            var stores: [Store] = []
            while stores.count < count {
                stores.append(try await Store.open(address, surroundings: .testing))
            }
            return stores
        }
    }
#endif
