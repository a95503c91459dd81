import Foundation
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import Remotes

/// The connections that each client and each kind of read may use.
@Suite(.oneStoreAtATime) struct ReadSharesTests {
    private let gate = Gate()

    /// Begins reads of a client, and waits until a number of them run.
    private func begin(
        _ count: Int, of client: String, in shares: ReadShares, running: Int
    ) async -> [Task<Void, any Error>] {
        let before = gate.passed
        let reads = (0..<count).map { _ in
            Task { try await shares.run(for: client) { await gate.pass() } }
        }
        while gate.passed < before + running { try? await Task.sleep(for: .milliseconds(1)) }
        return reads
    }

    @Test(arguments: [ReadKind.lookup, .feed])
    func `a client leaves a connection to others, and its own reads wait`(kind: ReadKind) async throws {
        let shares = ReadShares(kind)
        let first = await begin(10, of: "a", in: shares, running: 3)
        let second = await begin(1, of: "b", in: shares, running: 1)
        #expect(gate.passed == 4)
        gate.open()
        for read in first + second { try await read.value }
        #expect(gate.passed == 11)
    }

    @Test func `a query that finds no free connection for a moment is refused`() async throws {
        let shares = ReadShares(.query)
        let first = await begin(2, of: "a", in: shares, running: 2)
        await #expect(throws: ReadRefusal.ownReads) { try await shares.run(for: "a") {} }
        let second = await begin(2, of: "b", in: shares, running: 2)
        await #expect(throws: ReadRefusal.allReads) { try await shares.run(for: "c") {} }
        gate.open()
        for read in first + second { try await read.value }
        for client in ["a", "b", "c"] { try await shares.run(for: client) {} }
    }

    @Test func `short queries at once are all answered`() async throws {
        // Other tests keep the processors busy.
        let shares = ReadShares(.query, patience: .seconds(300))
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 { group.addTask { try await shares.run(for: "a") { await Task.yield() } } }
            try await group.waitForAll()
        }
    }

    @Test func `a cancelled read leaves the others their turns`() async throws {
        let shares = ReadShares(.lookup)
        let first = await begin(3, of: "a", in: shares, running: 3)
        let waiting = Task { try await shares.run(for: "a") {} }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        gate.open()
        for read in first { try await read.value }
        try await shares.run(for: "a") {}
    }

    @Test(.timeLimit(.minutes(30)))
    func `a wait for changes doesn't wait for another client's reads`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await Store.testing("folder", at: folder)
            var table = store.table(.standard)
            _ = try await table.write([.testing("a")])
            table.client = "a"
            let reads = await begin(3, of: "a", in: store.readShares[.feed], running: 3)
            let waiting = Task { [table] in try await table.storedChanges(after: nil, waiting: .seconds(60)) }
            while await store.sharedReads.reads.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            table.client = "b"
            #expect(try await table.storedChanges(after: nil, waiting: .seconds(60)).page.records.count == 1)
            gate.open()
            for read in reads { try await read.value }
            #expect(try await waiting.value.page.records.count == 1)
            try await store.close()
        }
    }

    @Test(arguments: TableQuotaTests.kinds)
    func `nothing else waits for queries`(_ kind: String) async throws {
        try await withTemporaryFolder { folder in
            let store = try await Store.testing(kind, at: folder)
            let table = store.table(.standard)
            _ = try await table.write([.testing("a")])
            // All connections for queries are in use.
            try await withThrowingTaskGroup { group in
                for _ in 0..<(2 * ReadKind.connectionCount) {
                    group.addTask { [gate] in
                        try await store.engine.read(.query, of: .standard) { _ in
                            gate.arrive()
                            while !gate.isOpen { usleep(1000) }
                        }
                    }
                }
                while gate.passed < ReadKind.connectionCount {
                    try await Task.sleep(for: .milliseconds(1))
                }
                defer { gate.open() }
                try await store.check()
                #expect(try await store.hasKeys() == false)
                #expect(try await table.record(id: "a") != nil)
                #expect(try await table.changes(after: nil).records.count == 1)
                _ = try await table.write([.testing("b")])
                #expect(gate.passed == ReadKind.connectionCount)
            }
            try await store.close()
        }
    }
}

/// Holds tasks back until it is opened.
private final class Gate: Sendable {
    private struct State {
        var passed = 0
        var isOpen = false
    }

    private let state = Mutex(State())

    /// The number of tasks that have come to the gate.
    var passed: Int { state.withLock { $0.passed } }

    func open() { state.withLock { $0.isOpen = true } }

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func arrive() { state.withLock { $0.passed += 1 } }

    func pass() async {
        arrive()
        while !isOpen { try? await Task.sleep(for: .milliseconds(1)) }
    }
}
