import Foundation
import LosslessYAML
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import Remotes

/// Stores that are copied while others use them; only one of the two is open at a time.
@Suite(.ownThreads) struct StoreCopyTests {
    /// The kinds of stores to copy from and to.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let makeLocations: @Sendable (_ folder: String) throws -> (from: StoreLocation, to: StoreLocation)
    }

    static let ways: [Way] = {
        var ways = [
            Way(testDescription: "folder to folder") { (.folder("\($0)/from"), .folder("\($0)/to")) }
        ]
        #if PostgreSQL
            ways += [
                Way(testDescription: "folder to database") {
                    (.folder("\($0)/from"), .database(try TestDatabase().address))
                },
                Way(testDescription: "database to folder") {
                    (.database(try TestDatabase().address), .folder("\($0)/to"))
                },
                Way(testDescription: "database to database") { _ in
                    (.database(try TestDatabase().address), .database(try TestDatabase().address))
                },
            ]
        #endif
        return ways
    }()

    @Test(arguments: ways)
    func `all answered writes, cursors, operations and keys are in the copy`(_ way: Way) async throws {
        let folder = try TemporaryFolder()
        let (from, to) = try way.makeLocations(folder.path)
        let source = try await Self.create(from)
        try await Self.fill(source)
        let kept = try await source.addKey(.testing("kept"))
        let revoked = try await source.addKey(.testing("revoked"))
        let cursor = try await source.table(.standard).changes(after: nil).next
        let written = Written()
        let isRevoked = try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    for count in 0... {
                        let id = "writer \(number) \(count)"
                        do {
                            guard
                                case .done(let stored) = try await source.table(.standard).write([.insert(id)]
                                )[0]
                            else {
                                Issue.record("\(id) was refused")
                                return
                            }
                            written.versions.withLock { $0[id] = stored.record.version }
                        } catch RemoteError.store(.moving), RemoteError.store(.moved) {
                            return
                        }
                    }
                }
            }
            while written.versions.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
            let copy = try await StoreCopy(from: from, to: to, surroundings: .testing)
            let isRevoked = try await source.revokeKey(named: "revoked")
            let summary = try await copy.run()
            #expect(summary.keyCount == 1)
            try await group.waitForAll()
            #expect(summary.recordCount == Self.recordCount + written.versions.withLock { $0.count })
            return isRevoked
        }
        #expect(isRevoked)

        let target = try await Self.open(to)
        #expect(target.identity == source.identity)
        let table = target.table(.standard)
        for (id, version) in written.versions.withLock({ $0 }) {
            #expect(try await table.record(id: id)?.record.version == version)
        }
        // A client continues with its cursor, and its operation isn't applied twice.
        let page = try await table.changes(after: cursor)
        #expect(page.records.contains { $0.id.hasPrefix("writer") })
        let again = try await table.write([.insert("1", operation: "first")])[0]
        guard case .repeated = again else {
            Issue.record("\(again)")
            return
        }
        #expect(try await table.record(id: "2")?.record.isDeleted == true)
        #expect(try await table.record(id: "UPPER")?.record.fields["text"] == .string("UPPER"))
        guard case .exists = try await table.write([.insert("upper")])[0] else {
            Issue.record("ids that differ only in case are two")
            return
        }
        #expect(try await target.keys(shown: [kept.secret ?? ""]).key?.name == "kept")
        #expect(try await target.keys(shown: [revoked.secret ?? ""]).key == nil)
        #expect(try await target.tableNames().map(\.string) == ["Empty", "todoitem"])

        // The old store is closed, even for processes that have it open.
        // Monitoring detects this, too.
        await #expect(throws: RemoteError.store(.moved(path: from.description, to: to.description))) {
            try await source.check()
        }
        await #expect(throws: RemoteError.store(.moved(path: from.description, to: to.description))) {
            try await source.keys(shown: [])
        }
        await #expect(throws: StoreError.moved(path: from.description, to: to.description)) {
            try await Self.open(from)
        }
        // Running the command again changes nothing.
        _ = try await StoreCopy(from: from, to: to, surroundings: .testing).run()
    }

    @Test(arguments: ways)
    func `a copy that is stopped anywhere goes on`(_ way: Way) async throws {
        let folder = try TemporaryFolder()
        let (from, to) = try way.makeLocations(folder.path)
        let source = try await Self.create(from)
        try await Self.fill(source)
        var stops = 0
        for limit in 0... {
            // Before each page, the copy checks whether to continue.
            let count = Mutex(0)
            var surroundings = StoreSurroundings.testing
            surroundings.isAskedToEnd = {
                count.withLock {
                    $0 += 1; return $0 > limit
                }
            }
            do {
                _ = try await StoreCopy(from: from, to: to, surroundings: surroundings).run()
                break
            } catch is CancellationError {
                stops += 1
            }
            // The store can be used as before, but the copy can't.
            _ = try await source.table(.standard).write([.insert("after stop \(limit)")])
            await #expect(throws: StoreError.unfinishedCopy(path: to.description)) { try await Self.open(to) }
        }
        #expect(stops > 5)
        let target = try await Self.open(to).table(.standard)
        for number in 0..<stops { #expect(try await target.record(id: "after stop \(number)") != nil) }
    }

    @Test(arguments: ways)
    func `a copy that ended between the two changes of state is completed`(_ way: Way) async throws {
        let folder = try TemporaryFolder()
        let (from, to) = try way.makeLocations(folder.path)
        try await Self.fill(try await Self.create(from))
        let copy = try await StoreCopy(from: from, to: to, surroundings: .testing)
        _ = try await copy.run()
        try await copy.target.store.engine.importing { _ = try $0.exchange(.unfinished) }
        await #expect(throws: StoreError.unfinishedCopy(path: to.description)) { try await Self.open(to) }
        _ = try await StoreCopy(from: from, to: to, surroundings: .testing).run()
        #expect(try await Self.open(to).table(.standard).record(id: "1") != nil)

        // If the copy ended while the source refuses writes, the next run completes it, too.
        try await copy.source.store.engine.importing { _ = try $0.exchange(.moving(to: to.remembered)) }
        try await copy.target.store.engine.importing { _ = try $0.exchange(.unfinished) }
        await #expect(throws: RemoteError.store(.moving(path: from.description, to: to.description))) {
            try await Self.open(from).table(.standard).write([.insert("refused")])
        }
        #expect(try await Self.open(from).table(.standard).record(id: "1") != nil)
        _ = try await StoreCopy(from: from, to: to, surroundings: .testing).run()
        #expect(try await Self.open(to).table(.standard).record(id: "1") != nil)
    }

    @Test(arguments: ways)
    func `operations that are forgotten while a store is copied aren't in the copy`(
        _ way: Way
    ) async throws {
        let folder = try TemporaryFolder()
        let (from, to) = try way.makeLocations(folder.path)
        let source = try await Self.create(from)
        try await Self.fill(source)
        for number in 0..<300 { _ = try await source.table(.standard).write([.insert("old \(number)")]) }
        let cursor = try await source.table(.standard).changes(after: nil).next
        let copy = try await StoreCopy(from: from, to: to, surroundings: .testing)
        let copier = StoreCopier(source: copy.source, target: copy.target) { false }
        _ = try await copier.copyChanges(nil)

        let later = Store(source.engine, .testing(day: 100))
        _ = try await later.table(.standard).write([.insert("new", operation: "new")])
        // The copy continues while gc still removes operations, and again after gc.
        let lock = WriteJob(table: .standard, writes: [], asksForPart: false, answerSize: .max)
        try await later.write([lock]) { writer, _ in
            let row = try #require(try writer.table(named: .standard))
            try writer.retention.forget(through: row.sequence - 1, in: row)
        }
        _ = try await copier.copyChanges(nil)
        let report = try await later.forgetOperations(olderThan: Store.retentionSeconds)
        #expect(report.operations > 0 && report.marks == 256)
        _ = try await StoreCopy(from: from, to: to, surroundings: .testing).run()

        let target = try await Self.open(to).table(.standard)
        try await target.verify(cursor)
        let count = try await copy.target.operationCount(of: .standard)
        #expect(count == 1)
        guard case .repeated = try await target.write([.insert("new", operation: "new")])[0],
            case .exists = try await target.write([.insert("1", operation: "first")])[0]
        else {
            Issue.record("the copy remembers other operations")
            return
        }
    }

    @Test(arguments: ways)
    func `several copies at once end with one open store`(_ way: Way) async throws {
        let folder = try TemporaryFolder()
        let (from, to) = try way.makeLocations(folder.path)
        try await Self.fill(try await Self.create(from))
        let locations = [to, to, .folder(folder.path + "/other"), to]
        let completed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for location in locations {
                group.addTask {
                    do {
                        _ = try await StoreCopy(from: from, to: location, surroundings: .testing).run()
                        return true
                    } catch is StoreError, is RemoteError, is StoreCopyProblem {
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        // If the runs stopped each other, another one completes the copy.
        if completed == 0 { _ = try await StoreCopy(from: from, to: to, surroundings: .testing).run() }
        var open = 0
        for location in [from, to, .folder(folder.path + "/other")] {
            guard let store = try? await Self.open(location) else { continue }
            open += 1
            #expect(try await store.problems() == [])
            #expect(try await store.table(.standard).record(id: "1") != nil)
        }
        #expect(open == 1)
    }

    @Test(arguments: ways)
    func `a copy is given up only if no change is lost`(_ way: Way) async throws {
        let folder = try TemporaryFolder()
        let (from, to) = try way.makeLocations(folder.path)
        let source = try await Self.create(from)
        try await Self.fill(source)
        let copy = try await StoreCopy(from: from, to: to, surroundings: .testing)
        #expect(
            try await !StoreCopy.giveUp(from: from, to: nil, surroundings: .testing),
            "an open store doesn't know of an incomplete copy")
        #expect(try await copy.target.state() == .unfinished)
        // An incomplete copy is removed.
        #expect(try await StoreCopy.giveUp(from: from, to: to, surroundings: .testing))
        await #expect(throws: StoreError.self) { try await Self.open(to) }
        try await copy.target.store.close()

        _ = try await StoreCopy(from: from, to: to, surroundings: .testing).run()
        #expect(try await StoreCopy.giveUp(from: from, to: nil, surroundings: .testing))
        await #expect(throws: StoreError.moved(path: to.description, to: from.description)) {
            try await Self.open(to)
        }
        _ = try await source.table(.standard).write([.insert("later")])

        // Once the copy has changed, the old store stays closed.
        await #expect(throws: StoreCopyProblem.changed(from.description)) {
            _ = try await StoreCopy.giveUp(from: to, to: from, surroundings: .testing)
        }
    }

    @Test(arguments: ways)
    func `a copy of a store that has moved elsewhere creates nothing`(_ way: Way) async throws {
        let folder = try TemporaryFolder()
        let (from, to) = try way.makeLocations(folder.path)
        try await Self.fill(try await Self.create(from))
        let elsewhere = StoreLocation.folder("\(folder.path)/elsewhere")
        _ = try await StoreCopy(from: from, to: elsewhere, surroundings: .testing).run()
        await #expect(throws: StoreError.moved(path: from.description, to: elsewhere.description)) {
            _ = try await StoreCopy(from: from, to: to, surroundings: .testing)
        }
        // The place can still be used for another store.
        try await Self.fill(try await Self.create(to))
    }

    @Test(arguments: ways)
    func `another store isn't replaced`(_ way: Way) async throws {
        let folder = try TemporaryFolder()
        let (from, to) = try way.makeLocations(folder.path)
        try await Self.fill(try await Self.create(from))
        try await Self.fill(try await Self.create(to))
        await #expect(throws: StoreCopyProblem.otherStore(to.description)) {
            _ = try await StoreCopy(from: from, to: to, surroundings: .testing).run()
        }
        #expect(try await Self.open(to).table(.standard).record(id: "1") != nil)
    }

    @Test(arguments: ways)
    func `a difference keeps the old store open`(_ way: Way) async throws {
        let folder = try TemporaryFolder()
        let (from, to) = try way.makeLocations(folder.path)
        let source = try await Self.create(from)
        try await Self.fill(source)
        let copy = try await StoreCopy(from: from, to: to, surroundings: .testing)
        try await copy.target.store.engine.importing { importer in
            let table = try importer.put(TableRow(key: 0), named: .standard)
            let version = RecordVersion(sequence: 1, random: [0, 0, 0])
            try importer.put(
                [
                    RecordRow(
                        id: "stranger", version: version, isDeleted: false, createdAt: 0, updatedAt: 0,
                        fields: Array("{}".utf8))
                ], in: table)
        }
        await #expect(throws: StoreCopyProblem.self) { _ = try await copy.run() }
        _ = try await source.table(.standard).write([.insert("later")])
    }

    #if PostgreSQL
        @Test func `the right that closes the old store is checked at the beginning`() async throws {
            let folder = try TemporaryFolder()
            let database = try TestDatabase()
            try await Self.fill(try await Self.create(.database(database.address)))
            let user = "server_\(nextNumber())"
            try database.cluster.run(
                """
                CREATE ROLE \(user) LOGIN; GRANT USAGE ON SCHEMA todosync TO \(user);
                GRANT SELECT ON ALL TABLES IN SCHEMA todosync TO \(user);
                GRANT INSERT, UPDATE ON todosync.todo_table, todosync.record TO \(user);
                GRANT INSERT, DELETE ON todosync.operation, todosync.history TO \(user);
                GRANT INSERT, DELETE ON todosync.day_end TO \(user);
                GRANT INSERT ON todosync.mark_pack TO \(user);
                GRANT INSERT, DELETE ON todosync.access_key TO \(user)
                """, in: database.name)
            let address = try #require(
                DatabaseAddress(database.cluster.url(of: database.name, user: user)))
            let missing = StoreError.database(
                path: address.description, .missingRights(["GRANT UPDATE ON todosync.store TO \(user)"]))
            await #expect(throws: RemoteError.store(missing)) {
                _ = try await StoreCopy(
                    from: .database(address), to: .folder("\(folder.path)/to"), surroundings: .testing
                ).run()
            }
        }

        @Test func `a database with other tables is refused`() async throws {
            let folder = try TemporaryFolder()
            let database = try TestDatabase()
            try database.cluster.run("CREATE TABLE other (number integer)", in: database.name)
            try await Self.fill(try await Self.create(.folder("\(folder.path)/from")))
            let problem = StoreError.database(path: database.address.description, .otherTables)
            await #expect(throws: problem) {
                _ = try await StoreCopy(
                    from: .folder("\(folder.path)/from"), to: .database(database.address),
                    surroundings: .testing)
            }
        }
    #endif

    private final class Questions: Sendable {
        let count = Atomic(0)
    }

    /// The versions of the records that writers have created.
    private final class Written: Sendable {
        let versions = Mutex<[String: Version]>([:])
    }

    /// The number of records that ``fill(_:)`` creates.
    private static let recordCount = 41

    /// Fills a store with records of all kinds.
    private static func fill(_ store: Store) async throws {
        let table = store.table(.standard)
        _ = try await table.write([.insert("1", operation: "first")])
        _ = try await table.write([
            .insert("2"), RecordWrite(id: "2", change: .delete), .insert("UPPER"),
            .insert("0", text: "a \u{0} and \u{1F600}"),
        ])
        for number in 3..<40 { _ = try await table.write([.insert("\(number)")]) }
        for number in 3..<20 {
            // An operation without an effect is remembered with an older version.
            _ = try await table.write([
                RecordWrite(
                    id: "\(number)", change: .merge(fields: [:], layout: nil),
                    operationID: "no effect \(number)")
            ])
            _ = try await table.write([RecordWrite(id: "\(number)", change: .delete)])
        }
        _ = try await store.addTable(try #require(TableName("Empty")))
    }

    private static func create(_ location: StoreLocation) async throws -> Store {
        switch location {
        case .folder(let path): try Store.create(at: path, surroundings: .testing)
        case .database(let address): try await Store.create(in: address, surroundings: .testing)
        }
    }

    private static func open(_ location: StoreLocation) async throws -> Store {
        switch location {
        case .folder(let path): try Store.open(at: path, surroundings: .testing)
        case .database(let address): try await Store.open(address, surroundings: .testing)
        }
    }
}

extension RecordWrite {
    fileprivate static func insert(
        _ id: String, text: String? = nil, operation: String? = nil
    ) -> RecordWrite {
        RecordWrite(
            id: id, change: .insert(fields: ["text": .string(text ?? id)], layout: nil),
            operationID: operation)
    }
}

extension AccessKey {
    fileprivate static func testing(_ name: String) -> AccessKey {
        AccessKey(name: name, table: nil, access: .write, isAnonymous: false, createdAt: 0)
    }
}
