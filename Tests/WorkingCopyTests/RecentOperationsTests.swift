import TestSupport
import Testing
import TodoModel

@testable import WorkingCopy

/// The newest operations, found at the end of a journal.
@Suite struct RecentOperationsTests {
    private static func operation(_ name: String, changes: Int, ends: Bool = true) -> [JournalRecord] {
        let changes = (0..<changes).compactMap { number in
            TodoID("t\(number)").map { TodoChange(id: $0, path: "t.yaml", change: .update, state: .pending) }
        }
        return [.begin(operation: name, time: "2026-11-21T07:00:00Z", command: "todosync \(name)")]
            + (ends ? [.end(operation: name, changes: changes)] : [])
    }

    private static func journal(_ records: [[JournalRecord]]) -> [UInt8] {
        records.flatMap(\.self).flatMap(JournalLines.line)
    }

    private static let five = journal([
        operation("first", changes: 1), operation("nothing", changes: 0), operation("second", changes: 3),
        operation("stopped", changes: 0, ends: false), operation("last", changes: 1),
    ])

    @Test func `operations that changed something or were stopped count, the newest first`() {
        let found = RecentOperations(ending: Self.five).operations
        #expect(found.map(\.operation) == ["last", "stopped", "second", "first"])
        #expect(found.first?.command == "todosync last")
        #expect(found.first?.time == "2026-11-21T07:00:00Z")
    }

    @Test func `the journal can begin and end in the middle of a line`() {
        for cut in stride(from: 0, to: Self.five.count, by: 7) {
            let all = RecentOperations(ending: Self.five).operations
            #expect(all.starts(with: RecentOperations(ending: Array(Self.five.dropFirst(cut))).operations))
            let rest = RecentOperations(ending: Array(Self.five.prefix(cut))).operations
            #expect(rest.allSatisfy { $0.command == "todosync " + $0.operation })
        }
    }

    @Test func `a damaged line is passed over`() {
        var bytes = Self.five
        bytes[30] ^= 1
        #expect(RecentOperations(ending: bytes).operations.map(\.operation) == ["last", "stopped", "second"])
    }

    @Test func `no more than fifty are found`() {
        let journal = Self.journal((0..<60).map { Self.operation("\($0)", changes: 1) })
        let found = RecentOperations(ending: journal).operations
        #expect(found.map(\.operation) == (10..<60).reversed().map { "\($0)" })
    }
}
