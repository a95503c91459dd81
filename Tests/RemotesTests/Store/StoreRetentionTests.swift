import LosslessYAML
import SQLite
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import Remotes

/// Old operations are forgotten, and old marks are packed, without an effect on clients.
@Suite(.ownThreads) struct StoreRetentionTests {
    /// A clock that a test sets, in milliseconds.
    private final class Clock: Sendable {
        private let milliseconds = Mutex<Int64>(20_000 * 86_400_000)

        var now: Int64 { milliseconds.withLock { $0 } }

        func advance(days: Int64) { milliseconds.withLock { $0 += days * 86_400_000 } }

        var surroundings: StoreSurroundings {
            StoreSurroundings(now: { self.now }, randomBytes: StoreSurroundings.testing.randomBytes)
        }
    }

    /// A new store with a clock that a test sets.
    private struct Setup {
        private let folder: TemporaryFolder
        let clock = Clock()
        let store: Store

        init(_ kind: String) async throws {
            folder = try TemporaryFolder()
            store = try await .testing(kind, at: folder.path, clock.surroundings)
        }
    }

    private static func insert(_ id: String) -> RecordWrite {
        RecordWrite(
            id: id, change: .insert(fields: ["text": .string(id)], layout: nil), operationID: "insert \(id)")
    }

    /// The cursors and operations that clients remember.
    private struct Issued {
        var cursors: [TodoModel.Cursor] = []
        var accepted: [AcceptedOperation] = []

        /// Inserts records, each in a transaction of its own.
        mutating func insert(_ numbers: Range<Int>, in table: StoreTable) async throws {
            for number in numbers {
                guard
                    case .done(let stored) = try await table.write([StoreRetentionTests.insert("\(number)")])[
                        0]
                else {
                    Issue.record("\(number) was not inserted")
                    return
                }
                accepted.append(
                    AcceptedOperation(operationID: "insert \(number)", version: stored.record.version))
                cursors.append(try await table.changes(after: cursors.last).next)
            }
        }
    }

    @Test(arguments: TableQuotaTests.kinds)
    func `clients that were away for longer continue where they were`(_ kind: String) async throws {
        let setup = try await Setup(kind)
        let table = setup.store.table(.standard)
        var issued = Issued()
        try await issued.insert(0..<300, in: table)
        setup.clock.advance(days: 50)
        try await issued.insert(300..<400, in: table)
        setup.clock.advance(days: 50)
        try await issued.insert(400..<410, in: table)

        // Only the first day is older than 90 days, and only full packs are made.
        let report = try await setup.store.forgetOperations(olderThan: Store.retentionSeconds)
        #expect(report == RetentionReport(operations: 300, marks: 256))
        #expect(
            try await setup.store.forgetOperations(olderThan: Store.retentionSeconds) == RetentionReport())
        setup.clock.advance(days: 100)
        let second = try await setup.store.forgetOperations(olderThan: Store.retentionSeconds)
        #expect(second == RetentionReport(operations: 100, marks: 128))
        try await issued.insert(410..<700, in: table)
        setup.clock.advance(days: 100)
        try await issued.insert(700..<701, in: table)
        let third = try await setup.store.forgetOperations(olderThan: Store.retentionSeconds)
        #expect(third == RetentionReport(operations: 300, marks: 256))
        #expect(try await setup.store.problems() == [])

        for (number, cursor) in issued.cursors.enumerated() {
            try await table.verify(cursor)
            try await table.verify(issued.accepted[number])
        }
        for number in [0, 100, 255, 256, 299, 511, 512, 699, 700] {
            let page = try await table.changes(after: issued.cursors[number])
            #expect(page.records.map(\.id) == (number + 1..<701).map { "\($0)" })
            #expect(page.next == issued.cursors.last)
        }
        var paging = table
        paging.pageSize = 7
        var cursor: TodoModel.Cursor?
        var ids: [String] = []
        repeat {
            let page = try await paging.changes(after: cursor)
            ids += page.records.map(\.id)
            cursor = page.next
            #expect(issued.cursors[ids.count - 1] == cursor)
        } while ids.count < 701
        #expect(ids == (0..<701).map { "\($0)" })
    }

    @Test(arguments: TableQuotaTests.kinds)
    func `another history is noticed among packed marks, too`(_ kind: String) async throws {
        let setup = try await Setup(kind)
        let table = setup.store.table(.standard)
        var issued = Issued()
        try await issued.insert(0..<300, in: table)
        setup.clock.advance(days: 100)
        try await issued.insert(300..<301, in: table)
        _ = try await setup.store.forgetOperations(olderThan: Store.retentionSeconds)
        for cursor in [issued.cursors[0], issued.cursors[200], issued.cursors[280]] {
            let parts = cursor.string.split(separator: "-")
            for other in ["\(parts[0])-\(parts[1])-0", "\(parts[0])-301-\(parts[2])"] {
                await #expect(throws: RemoteError.otherHistory) {
                    try await table.verify(TodoModel.Cursor(other))
                }
            }
        }
        // An operation that is too new to be forgotten must exist.
        for operation in [
            AcceptedOperation(operationID: "unknown", version: issued.accepted[300].version),
            AcceptedOperation(operationID: "insert 300", version: issued.accepted[0].version),
            AcceptedOperation(operationID: "insert 0", version: Version("not a version")),
        ] {
            await #expect(throws: RemoteError.otherHistory) { try await table.verify(operation) }
        }
    }

    @Test(arguments: TableQuotaTests.kinds)
    func `a forgotten operation that is sent again changes nothing`(_ kind: String) async throws {
        let setup = try await Setup(kind)
        let table = setup.store.table(.standard)
        var issued = Issued()
        try await issued.insert(0..<1, in: table)
        let merge = RecordWrite(
            id: "0", change: .merge(fields: ["text": .string("merged")], layout: nil),
            condition: .version(issued.accepted[0].version), operationID: "merge")
        guard case .done(let merged) = try await table.write([merge])[0] else {
            Issue.record("not merged")
            return
        }
        setup.clock.advance(days: 100)
        try await issued.insert(1..<2, in: table)
        _ = try await setup.store.forgetOperations(olderThan: Store.retentionSeconds)

        let answers = try await table.write([Self.insert("0"), merge, Self.insert("1")])
        guard case .exists(let existing) = answers[0], case .conditionFailed(let current) = answers[1],
            case .repeated = answers[2]
        else {
            Issue.record("\(answers)")
            return
        }
        #expect(existing == merged && current == merged)
        #expect(try await table.changes(after: issued.cursors.last).records == [])
    }

    @Test(arguments: TableQuotaTests.kinds)
    func `an interrupted run is repeated`(_ kind: String) async throws {
        let setup = try await Setup(kind)
        let table = setup.store.table(.standard)
        var issued = Issued()
        try await issued.insert(0..<200, in: table)
        setup.clock.advance(days: 100)
        try await issued.insert(200..<201, in: table)
        let lock = WriteJob(table: .standard, writes: [], asksForPart: false, answerSize: .max)
        try await setup.store.write([lock]) { writer, _ in
            let row = try #require(try writer.table(named: .standard))
            try writer.retention.forget(through: 200, in: row)
            try writer.retention.deleteOperations([ByteKey("insert 7")], in: row)
        }
        for cursor in issued.cursors { try await table.verify(cursor) }
        for accepted in issued.accepted { try await table.verify(accepted) }
        let report = try await setup.store.forgetOperations(olderThan: Store.retentionSeconds)
        #expect(report == RetentionReport(operations: 199, marks: 128))
        for cursor in issued.cursors { try await table.verify(cursor) }
    }

    @Test(arguments: TableQuotaTests.kinds, UInt64(0)..<2)
    func `at any times, any writes keep all cursors`(_ kind: String, _ seed: UInt64) async throws {
        let setup = try await Setup(kind)
        let tables = ["a", "b"].compactMap(TableName.init).map { setup.store.table($0) }
        var issued = [Issued(), Issued()]
        var generator = SplitMix64(seed: seed)
        var report = RetentionReport()
        for _ in 0..<60 {
            let number = Int.random(in: 0...1, using: &generator)
            let first = issued[number].cursors.count
            try await issued[number].insert(
                first..<first + Int.random(in: 1...40, using: &generator), in: tables[number])
            setup.clock.advance(days: Int64.random(in: 0...5, using: &generator))
            guard Bool.random(using: &generator) else { continue }
            let age = Int.random(in: 0...30, using: &generator) * 86_400
            let step = try await setup.store.forgetOperations(olderThan: age)
            (report.operations, report.marks) = (
                report.operations + step.operations, report.marks + step.marks
            )
        }
        #expect(report.operations > 500 && report.marks >= 512)
        for (table, issued) in zip(tables, issued) {
            for cursor in issued.cursors { try await table.verify(cursor) }
            for accepted in issued.accepted { try await table.verify(accepted) }
            let page = try await table.changes(after: issued.cursors[10])
            #expect(page.records.map(\.id) == (11..<issued.cursors.count).map { "\($0)" })
        }
        #expect(try await setup.store.problems() == [])
    }

    @Test func `a check finds damaged packs`() async throws {
        for content in ["x''", "x'00'", "zeroblob(24)", "x'000000010000000000000000'"] {
            let setup = try await Setup("folder")
            var issued = Issued()
            try await issued.insert(0..<256, in: setup.store.table(.standard))
            setup.clock.advance(days: 100)
            try await issued.insert(256..<257, in: setup.store.table(.standard))
            _ = try await setup.store.forgetOperations(olderThan: Store.retentionSeconds)
            #expect(try await setup.store.problems() == [])
            try await setup.store.sqlite.writeDatabase {
                try $0.execute("UPDATE mark_pack SET marks = \(content)")
                #expect($0.changeCount == 2)
            }
            #expect(
                try await setup.store.problems() == ["todoitem: old entries of its history can't be read"])
            await #expect(throws: RemoteError.otherHistory) {
                try await setup.store.table(.standard).verify(issued.cursors[3])
            }
        }
    }

    @Test func `a pack has its marks`() throws {
        var generator = SplitMix64(seed: 1)
        for count in 1...20 {
            var sequence = Int64.random(in: 1...1 << 38, using: &generator)
            let marks = (0..<count).map { _ in
                sequence += Int64.random(in: 1...1 << 20, using: &generator)
                return HistoryMark(
                    sequence: sequence, random: Int64.random(in: .min ... .max, using: &generator))
            }
            let pack = try #require(MarkPack(marks))
            #expect(pack.sequence == sequence && pack.content.count == 12 * count)
            #expect(pack.marks == marks)
        }
        #expect(MarkPack([HistoryMark]()) == nil)
        #expect(
            MarkPack([HistoryMark(sequence: 1, random: 0), HistoryMark(sequence: 1 << 33, random: 0)]) == nil)
    }
}
