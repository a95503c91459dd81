#if PostgreSQL
    import LosslessYAML
    import TestSupport
    import Testing
    import TodoModel

    @testable import Remotes

    /// A PostgreSQL store in an older format.
    @Suite(.ownThreads) struct PostgresUpgradeTests {
        /// The statements that turn an empty store's tables into those of format 1.
        private static let downgrade = """
            DROP TABLE todosync.day_end, todosync.mark_pack;
            ALTER TABLE todosync.todo_table DROP COLUMN forgotten_sequence;
            UPDATE todosync.store SET format = 1, oldest_reader = 1
            """

        private static func olderStore() async throws -> (database: TestDatabase, cursor: Cursor) {
            let database = try TestDatabase()
            let store = try await database.stores()[0]
            _ = try await store.table(.standard).write([.testing("one"), .testing("two")])
            let cursor = try await store.table(.standard).changes(after: nil).next
            try await store.close()
            try database.cluster.run(downgrade, in: database.name)
            return (database, cursor)
        }

        private static func upgrade(_ database: TestDatabase) async throws -> Int? {
            try await StoreLocation.database(database.address).upgrade(surroundings: .testing)
        }

        @Test func `a server with an older PostgreSQL than 13 is refused`() async throws {
            let database = try TestDatabase()
            let proxy = try MessageProxy(of: database.cluster.folder, seed: 1)
            let version = try database.cluster.run("SHOW server_version_num", in: database.name)
            let major = String(version.prefix(2))
            func create() async throws -> Store { try await database.stores(1, on: [proxy.folder])[0] }
            try await create().close()
            // The message ParameterStatus has the version.
            for (other, isKnown) in [("12", false), ("13", true)] {
                proxy.replaceInAnswers("server_version\0" + major, with: "server_version\0" + other)
                do {
                    try await create().close()
                    #expect(isKnown)
                } catch let error as StoreError {
                    #expect(!isKnown && "\(error)".contains("runs PostgreSQL 12; version 13"), "\(error)")
                }
            }
        }

        @Test func `a store of format 1 is used only after it is upgraded`() async throws {
            let (database, cursor) = try await Self.olderStore()
            let older = StoreError.database(path: database.address.description, .olderFormat(1))
            await #expect(throws: older) {
                _ = try await Store.open(database.address, surroundings: .testing)
            }
            await #expect(throws: older) {
                _ = try await Store.create(in: database.address, surroundings: .testing)
            }
            #expect(try await Self.upgrade(database) == 1)
            #expect(try await Self.upgrade(database) == nil)
            let store = try await Store.open(database.address, surroundings: .testing)
            #expect(try await store.problems() == [])
            let table = store.table(.standard)
            #expect(try await table.changes(after: cursor).records == [])
            _ = try await table.write([.testing("three")])
            #expect(try await table.changes(after: cursor).records.map(\.id) == ["three"])
            let later = Store(store.engine, .testing(day: 100))
            _ = try await later.table(.standard).write([.testing("four")])
            #expect(
                try await later.forgetOperations(olderThan: Store.retentionSeconds) == RetentionReport())
            #expect(try await later.read { try $0.table(named: .standard)?.forgottenSequence } == 3)
        }

        @Test func `a store in use isn't upgraded`() async throws {
            let (database, _) = try await Self.olderStore()
            let other = try PostgresConnection(to: database.address.connectionString)
            await #expect(throws: StoreError.busy(path: database.address.description)) {
                try await Self.upgrade(database)
            }
            withExtendedLifetime(other) {}
        }

        @Test func `a newer store and a database without a store stay as they are`() async throws {
            let database = try TestDatabase()
            await #expect(throws: StoreError.database(path: database.address.description, .missing)) {
                try await Self.upgrade(database)
            }
            _ = try await database.stores()
            try database.cluster.run(
                "UPDATE todosync.store SET format = 9, oldest_reader = 9", in: database.name)
            let newer = StoreError.newerFormat(path: database.address.description, found: 9, known: 2)
            await #expect(throws: newer) { try await Self.upgrade(database) }
        }

        @Test func `a new store and an upgraded one have the same tables`() async throws {
            let (older, _) = try await Self.olderStore()
            _ = try await Self.upgrade(older)
            let new = try TestDatabase()
            _ = try await new.stores()
            let columns = """
                SELECT string_agg(concat_ws(' ', table_name, column_name, data_type, is_nullable), ', '
                    ORDER BY table_name, column_name)
                FROM information_schema.columns WHERE table_schema = 'todosync'
                """
            func result(_ database: TestDatabase) throws -> String? {
                try PostgresConnection(to: database.address.connectionString).run(
                    PostgresCommand(sql: columns)
                ).first?.string(0)
            }
            let found = try result(older)
            #expect(try result(new) == found)
            #expect(found?.contains("mark_pack marks bytea NO") == true)
        }
    }
#endif
