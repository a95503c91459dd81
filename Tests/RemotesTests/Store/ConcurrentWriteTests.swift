import Dispatch
import LosslessYAML
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import Remotes

/// Concurrent callers that write to one store and share transactions.
@Suite(.oneStoreAtATime) struct `Callers that write at once` {
    /// Keeps the store's connection busy until the closure that is passed to `body` is called.
    private func whileBusy(
        _ store: Store, _ body: (_ release: @escaping @Sendable () -> Void) async throws -> Void
    ) async throws {
        let (isHeld, continuation) = AsyncStream.makeStream(of: Void.self)
        let semaphore = DispatchSemaphore(value: 0)
        async let holder: Void = store.sqlite.writeDatabase { _ in
            continuation.finish()
            semaphore.wait()
        }
        for await _ in isHeld {}
        try await body { semaphore.signal() }
        try await holder
    }

    @Test func `a write that waits for another process asks before each try whether to end`() async throws {
        try await withTemporaryFolder { folder in
            let tries = Mutex(0)
            var surroundings = StoreSurroundings.testing
            surroundings.isAskedToEnd = {
                tries.withLock { $0 += 1 }
                return false
            }
            let store = try Store.create(at: folder, surroundings: surroundings)
            let other = try Store.open(at: folder, surroundings: .testing)
            try await whileBusy(other) { release in
                async let write = store.table(.standard).write([.testing("a")])
                while tries.withLock({ $0 }) < 10 { try await Task.sleep(for: .milliseconds(1)) }
                release()
                _ = try await write
            }
        }
    }

    @Test func `two processes that write without a pause take turns`() async throws {
        try await withTemporaryFolder { folder in
            let stores = [
                try Store.create(at: folder, surroundings: .testing),
                try Store.open(at: folder, surroundings: .testing),
            ]
            let all = try await withThrowingTaskGroup(of: [(ContinuousClock.Instant, Int)].self) { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        var turns: [(ContinuousClock.Instant, Int)] = []
                        for _ in 0..<100 {
                            let time = try await store.sqlite.writeDatabase { _ in
                                // Longer than a try takes, so that the lock is found taken.
                                usleep(2000)
                                return ContinuousClock.now
                            }
                            turns.append((time, number))
                        }
                        return turns
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }.sorted { $0.0 < $1.0 }.map(\.1)
            }
            let changes = zip(all, all.dropFirst()).filter { $0 != $1 }.count
            #expect(changes > 40, "\(all)")
        }
    }

    @Test func `each caller's writes are applied once, with their own versions and times`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            let tables = try ["one", "two"].map { name in
                var table = store.table(try #require(TableName(name)))
                table.queryTime = .seconds(300)
                return table
            }
            let answers = try await withThrowingTaskGroup(of: [WriteAnswer].self) { group in
                for caller in 0..<40 {
                    group.addTask {
                        var answers: [WriteAnswer] = []
                        for round in 0..<5 {
                            let writes = (0..<3).map { number in
                                RecordWrite(
                                    id: "\(caller)-\(round)-\(number)",
                                    change: .insert(fields: ["n": .number(Number(number))], layout: nil),
                                    operationID: "\(caller)-\(round)-\(number)")
                            }
                            answers += try await tables[caller % 2].write(writes)
                        }
                        return answers
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(answers.allSatisfy { if case .done = $0 { true } else { false } })
            for table in tables {
                let list = try await table.records(
                    RecordQuery(order: [RecordOrder(property: .version)], top: 1000))
                #expect(list.records.count == 300)
                #expect(Set(list.records.map(\.updatedAt)).count == 300)
                #expect(list.records.map(\.updatedAt) == list.records.map(\.updatedAt).sorted())
                // The writes of one call are consecutive.
                for start in stride(from: 0, to: 300, by: 3) {
                    let ids = list.records[start..<start + 3].map { $0.record.id.split(separator: "-") }
                    #expect(Set(ids.map { $0.dropLast().joined(separator: "-") }).count == 1)
                    #expect(ids.map { String($0[2]) } == ["0", "1", "2"])
                }
                #expect(try await table.changes(after: nil).records.count == 300)
            }
        }
    }

    @Test func `if many callers merge one version, one of them succeeds`() async throws {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            let base = try await table.inserted("one").record.version
            let answers = try await withThrowingTaskGroup(of: WriteAnswer?.self) { group in
                for caller in 0..<20 {
                    group.addTask {
                        let merge = RecordWrite.Change.merge(
                            fields: ["by": .number(Number(caller))], layout: nil)
                        return try await table.write(
                            [RecordWrite(id: "one", change: merge, condition: .version(base))]
                        ).first
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let now = try #require(try await table.record(id: "one"))
            #expect(answers.count { $0 == .done(now) } == 1)
            #expect(answers.count { $0 == .conditionFailed(now) } == 19)
        }
    }

    @Test func `a caller whose writes don't fit on the disk fails alone`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            let table = store.table(.standard)
            try await table.inserted("one")
            try await store.sqlite.writeDatabase { database in
                let pages = try SQLStatement("PRAGMA page_count", in: database).first { $0.integer(0) } ?? 0
                // A pragma doesn't support parameters.
                try SQLStatement("PRAGMA max_page_count = \(pages + 20)", in: database).run()
            }
            try await whileBusy(store) { release in
                async let first = table.inserted("first")
                let large = Task {
                    try await table.inserted("large", notes: String(repeating: "x", count: 1 << 20))
                }
                async let small = table.inserted("small")
                release()
                _ = try await first
                _ = try await small
                let error = RemoteError.store(.diskFull(path: folder))
                await #expect(throws: error) { try await large.value }
            }
            #expect(try await table.record(id: "small") != nil)
            #expect(try await table.record(id: "large") == nil)
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `readers don't wait for writers, and see every answered write`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            let table = store.table(.standard)
            let record = try await table.inserted("one")
            try await whileBusy(store) { release in
                // This runs before the write continues; otherwise, the wait would never end.
                let found = try await table.record(id: "one")
                let list = try await table.records(RecordQuery())
                let page = try await table.changes(after: nil)
                let hasKeys = try await store.hasKeys()
                release()
                #expect(found == record)
                #expect(list.records == [record])
                #expect(page.records == [record.record])
                #expect(!hasKeys)
            }
            let second = try await table.inserted("two")
            #expect(try await table.record(id: "two") == second)
        }
    }

    @Test func `cancelling a waiting caller doesn't affect the others`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            let table = store.table(.standard)
            try await whileBusy(store) { release in
                let cancelled = Task { try await table.inserted("one") }
                async let other = table.inserted("two")
                cancelled.cancel()
                release()
                let record = try await other
                #expect(record.record.id == "two")
                _ = try? await cancelled.value
            }
            #expect(try await table.record(id: "two") != nil)
        }
    }
}
