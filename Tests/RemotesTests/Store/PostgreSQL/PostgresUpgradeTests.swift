#if PostgreSQL
    import LosslessYAML
    import TestSupport
    import Testing
    import TodoModel

    @testable import Remotes

    /// The formats of stores in PostgreSQL.
    @Suite(.ownThreads) struct PostgresUpgradeTests {
        /// The statements of an upgrade to a format after the current one.
        private static let next = [["ALTER TABLE todosync.todo_table ADD COLUMN more bigint"]]

        /// Upgrades the store of a database to the format after the current one, and returns its old format.
        private static func upgrade(_ database: TestDatabase) throws -> Int64 {
            try PostgresSchema.upgrade(
                on: PostgresConnection(to: database.address.connectionString),
                path: database.address.description, with: next)
        }

        @Test func `a server with an older PostgreSQL than 13 is refused`() async throws {
            let database = try TestDatabase()
            let proxy = try MessageProxy(of: database.cluster.folder, seed: 1)
            let version = try database.cluster.run("SHOW server_version_num", in: database.name)
            let major = String(version.prefix(2))
            func create() async throws -> Store { try await database.stores(1, on: [proxy.folder])[0] }
            try await create().close()
            // The message ParameterStatus has the version.
            for (other, isSupported) in [("12", false), ("13", true)] {
                proxy.replaceInAnswers("server_version\0" + major, with: "server_version\0" + other)
                do {
                    try await create().close()
                    #expect(isSupported)
                } catch let error as StoreError {
                    #expect(!isSupported && "\(error)".contains("runs PostgreSQL 12; version 13"), "\(error)")
                }
            }
        }

        @Test(arguments: [1, 9]) func `a store in another format is refused`(format: Int) async throws {
            let database = try TestDatabase()
            try await database.stores()[0].close()
            try database.cluster.run(
                "UPDATE todosync.store SET format = \(format), oldest_reader = \(format)", in: database.name)
            let (path, address) = (database.address.description, database.address)
            let refusal = StoreError.unsupportedFormat(path: path, found: format, supported: 2)
            await #expect(throws: refusal) { _ = try await Store.open(address, surroundings: .testing) }
            await #expect(throws: refusal) { _ = try await Store.create(in: address, surroundings: .testing) }
            await #expect(throws: refusal) {
                try await StoreLocation.database(address).upgrade(surroundings: .testing)
            }
        }

        @Test func `an upgrade runs once, and older versions then refuse the store`() async throws {
            let database = try TestDatabase()
            #expect(throws: StoreError.database(path: database.address.description, .missing)) {
                try Self.upgrade(database)
            }
            try await database.stores()[0].close()
            #expect(try Self.upgrade(database) == 2)
            #expect(try Self.upgrade(database) == 3)
            let rows = try PostgresConnection(to: database.address.connectionString).run(
                PostgresCommand(sql: "SELECT count(more) FROM todosync.todo_table"))
            #expect(rows.first?.integer(0) == 0)
            let refusal = StoreError.unsupportedFormat(
                path: database.address.description, found: 3, supported: 2)
            await #expect(throws: refusal) {
                _ = try await Store.open(database.address, surroundings: .testing)
            }
        }

        @Test func `a store in use isn't upgraded`() async throws {
            let database = try TestDatabase()
            try await database.stores()[0].close()
            let other = try PostgresConnection(to: database.address.connectionString)
            #expect(throws: StoreError.busy(path: database.address.description)) {
                try Self.upgrade(database)
            }
            withExtendedLifetime(other) {}
        }
    }
#endif
