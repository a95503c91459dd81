import Foundation
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import Remotes

/// Tasks that ask for the same changes at the same time.
@Suite struct SharedReadsTests {
    private let reads = SharedReads()
    private let journal = ReadJournal()

    @Test func `tasks that ask at the same time share a read`() async throws {
        let first = Task { try await answer() }
        await journal.waitForReads(1)
        // These ask after the first read began, so they share the second one.
        let others = (0..<50).map { _ in Task { try await answer() } }
        while await waitingCount(in: reads) < others.count { await Task.yield() }
        journal.end(1)
        await journal.waitForReads(2)
        journal.end(2)
        #expect(try await first.value == 1)
        for other in others { #expect(try await other.value == 2) }
        #expect(journal.count == 2)
    }

    @Test func `tasks that wait for the same changes share their text`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await Store.testing("folder", at: folder)
            let table = store.table(.standard)
            _ = try await table.write([.testing("a")])
            let wait: @Sendable () async throws -> [UInt8] = { [journal] in
                try await table.storedChanges(after: nil, waiting: .seconds(60)) { _ in
                    [UInt8(clamping: journal.blockingRead())]
                }.text
            }
            let first = Task { try await wait() }
            await journal.waitForReads(1)
            let others = (0..<50).map { _ in Task { try await wait() } }
            while await waitingCount(in: store.sharedReads) < others.count { await Task.yield() }
            journal.endAll()
            #expect(try await first.value == [1])
            for other in others { #expect(try await other.value == [2]) }
            #expect(journal.count == 2)
            try await store.close()
        }
    }

    @Test func `a later request is answered by a later read`() async throws {
        journal.endAll()
        for sequence in 1...3 { #expect(try await answer() == Int64(sequence)) }
    }

    @Test func `requests that differ are read separately`() async throws {
        journal.endAll()
        let cursors = [nil, Cursor("a"), Cursor("b")]
        let answers = try await withThrowingTaskGroup { group in
            for cursor in cursors { group.addTask { try await answer(after: cursor) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers.count == cursors.count)
    }

    @Test func `an error reaches all tasks, and the next request reads again`() async throws {
        journal.fail(1, with: RemoteError.otherHistory)
        await #expect(throws: RemoteError.otherHistory) { try await answer() }
        journal.endAll()
        #expect(try await answer() == 2)
    }

    @Test func `a cancelled task doesn't cancel the read of the others`() async throws {
        let first = Task { try await answer() }
        await journal.waitForReads(1)
        first.cancel()
        journal.end(1)
        #expect(try await first.value == 1)
    }

    /// Returns the number of tasks that wait for the next read.
    private func waitingCount(in reads: SharedReads) async -> Int {
        var count = 0
        for read in await reads.reads.values { count += await read.lookup.waiting.count }
        return count
    }

    /// Asks for changes, and returns the number of the read that answered.
    private func answer(after cursor: Cursor? = nil) async throws -> Int64 {
        let request = SharedReads.Request(
            table: try #require(TableName("todoitem")), cursor: cursor, pageSize: 1, pageByteSize: 1,
            form: "")
        return try await reads.answer(to: request) { [journal] in
            let number = try await journal.read()
            let page = StoredChangePage(records: [], next: Cursor(""), isLast: true)
            return (WrittenChanges(page: page, text: []), Int64(number))
        }.sequence
    }
}

/// Counts reads, and ends each one when the test says so.
private final class ReadJournal: Sendable {
    private struct State {
        var count = 0
        var ended: Set<Int> = []
        var errors: [Int: any Error] = [:]
        var endsAll = false
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    func end(_ number: Int) { state.withLock { _ = $0.ended.insert(number) } }

    func endAll() { state.withLock { $0.endsAll = true } }

    func fail(_ number: Int, with error: any Error) { state.withLock { $0.errors[number] = error } }

    /// Begins a read, and returns its number once it may end.
    func read() async throws -> Int {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        if let error = state.withLock({ $0.errors[number] }) { throw error }
        while !state.withLock({ $0.endsAll || $0.ended.contains(number) }) { await Task.yield() }
        return number
    }

    /// The same as ``read()``, on a thread that may block.
    func blockingRead() -> Int {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        while !state.withLock({ $0.endsAll || $0.ended.contains(number) }) { usleep(1000) }
        return number
    }

    func waitForReads(_ count: Int) async {
        while self.count < count { await Task.yield() }
    }
}
