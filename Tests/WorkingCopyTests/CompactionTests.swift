import TestSupport
import Testing
import TodoModel

@testable import WorkingCopy

/// A compacted journal has the same state.
@Suite struct CompactionTests {
    /// Returns one operation a day, starting at 1970-01-01.
    private func operations(seed: UInt64, count: Int) -> [JournalRecord] {
        var generator = RecordGenerator(seed: seed)
        var records: [JournalRecord] = [.format(5)]
        for number in 0..<count {
            let name = "operation\(number)"
            records.append(.begin(operation: name, time: Self.time(number), command: "c"))
            records += generator.history(count: generator.number(below: 12)).filter { record in
                switch record {
                case .begin, .end, .undoes: false
                default: true
                }
            }
            // Some operations were interrupted.
            if generator.number(below: 4) > 0 { records.append(.end(operation: name, changes: [])) }
        }
        return records
    }

    private static func time(_ day: Int) -> String {
        "1970-01-\(day < 9 ? "0" : "")\(day + 1)T12:00:00Z"
    }

    @Test(
        .covers(["a compaction": 500]), arguments: UInt64(0)..<60,
        [[], [TodoID("a")], [TodoID("B"), TodoID("ä")]])
    func `the state stays the same, whatever compaction removes`(_ seed: UInt64, _ pending: [TodoID?]) {
        let journal = operations(seed: seed, count: 12).flatMap(JournalLines.line)
        let state = Journal.contents(of: journal).state
        var dropped: [Int] = []
        for day in 0...12 {
            let retention = Retention(since: day * 86_400, minimumCount: 0)
            let pending = Set(pending.compactMap(\.self))
            guard let compaction = Compaction(of: journal, retention, pending: pending) else { continue }
            cover("a compaction")
            let contents = Journal.contents(of: compaction.bytes)
            #expect(contents.goodLength == compaction.bytes.count)
            #expect(contents.state.todos == state.todos)
            #expect(contents.state.cursor == state.cursor)
            #expect(contents.state.remote == state.remote)
            #expect(contents.state.lastAccepted == state.lastAccepted)
            #expect(contents.state.openOperation?.operation == state.openOperation?.operation)
            #expect(compaction.report.dropped + compaction.report.kept == 12)
            #expect(compaction.report.dropped <= day, "newer operations are kept")
            #expect(contents.state.operationCount == compaction.report.kept)
            dropped.append(compaction.report.dropped)
        }
        #expect(dropped == dropped.sorted())
    }

    @Test func `a number of the newest operations stays, however old they are`() throws {
        let journal = (0..<12).flatMap { number -> [JournalRecord] in
            [
                .begin(operation: "\(number)", time: Self.time(number), command: ""),
                .end(operation: "\(number)", changes: []),
            ]
        }.flatMap(JournalLines.line)
        let all = Retention(since: .max, minimumCount: 5)
        #expect(Compaction(of: journal, all)?.report.kept == 5)
        #expect(Compaction(of: journal, Retention(since: .max, minimumCount: 12)) == nil)
        #expect(Compaction(of: journal, Retention(since: .max, minimumCount: 0))?.report.kept == 0)
    }

    @Test func `an operation with an unreadable time stays`() {
        let journal = [JournalRecord.begin(operation: "o", time: "soon", command: "")]
            .flatMap(JournalLines.line)
        #expect(Compaction(of: journal, Retention(since: .max, minimumCount: 0)) == nil)
    }

    @Test func `a damaged journal is not compacted`() {
        let journal = operations(seed: 1, count: 5).flatMap(JournalLines.line) + "x".bytes
        #expect(Compaction(of: journal, Retention(since: .max, minimumCount: 0)) == nil)
    }

    @Test func `a crash leaves the old or the new journal`() throws {
        var number = 0
        var isDone = false
        var sizes: Set<Int> = []
        while !isDone {
            number += 1
            let folder = try TemporaryFolder()
            let directory = WorkingDirectory(root: folder.path, fileSystem: FailingFileSystem())
            try directory.create(Configuration())
            for count in 0..<3 {
                let transaction = try directory.begin(
                    operation: "o\(count)", time: Self.time(0), command: "", timeout: .seconds(10))
                try transaction.record([.cursor(Cursor("\(count)"))])
                try transaction.end("o\(count)", [])
            }
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: 5)
            let crashing = WorkingDirectory(root: folder.path, fileSystem: failing)
            do {
                let transaction = try crashing.begin(
                    operation: "gc", time: "", command: "", timeout: .seconds(10))
                _ = try transaction.compact(Retention(since: .max, minimumCount: 0), pending: [])
            } catch {}
            isDone = failing.calls < number
            let state = try directory.state()
            #expect(state.cursor == Cursor("2"), "at call \(number)")
            #expect(state.operationCount == 3 || state.operationCount == 0)
            sizes.insert(state.operationCount)
        }
        #expect(sizes == [0, 3])
    }

    @Test func `records that are written afterward are in the new journal`() throws {
        let folder = try TemporaryFolder()
        let directory = WorkingDirectory(root: folder.path, fileSystem: FailingFileSystem())
        try directory.create(Configuration())
        let transaction = try directory.begin(
            operation: "o", time: Self.time(0), command: "", timeout: .seconds(10))
        try transaction.record([.cursor(Cursor("1"))])
        try transaction.end("o", [])
        #expect(try transaction.compact(Retention(since: .max, minimumCount: 0), pending: [])?.dropped == 1)
        try transaction.record([.cursor(Cursor("2"))])
        #expect(try directory.state().cursor == Cursor("2"))
    }

    @Test func `the command that makes the journal too large compacts it`() throws {
        let folder = try TemporaryFolder()
        let directory = WorkingDirectory(root: folder.path, fileSystem: FailingFileSystem())
        try directory.create(Configuration())
        let id = try #require(TodoID("a"))
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 19)
        for number in 0..<16 {
            let transaction = try directory.begin(
                operation: "o\(number)", time: Self.time(number), command: "", timeout: .seconds(10))
            try transaction.record([.kept(id: id, path: "a.yaml", bytes: text)])
            try transaction.end("o\(number)", [])
            try transaction.compactIfLarge(Retention(since: 2 * 86_400, minimumCount: 1)) { [] }
        }
        let kept = try directory.history().operations.map(\.operation)
        // Two operations are old enough. Without any, there is no reason to rewrite the journal.
        #expect(kept == (2..<16).map { "o\($0)" })
    }
}
