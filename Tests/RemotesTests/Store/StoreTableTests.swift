import Foundation
import LosslessYAML
import SQLite
import TestSupport
import Testing
import TodoModel

@testable import Remotes

@Suite(.oneStoreAtATime) struct `A store's table` {
    @Test func `tables of a store are separate, and their names ignore case`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            let work = store.table(try #require(TableName("Work")))
            _ = try await store.table(.standard).push([.example("one")])
            _ = try await work.push([.example("one"), .example("two")])
            let same = store.table(try #require(TableName("WORK")))
            #expect(try await same.changes(after: nil).records.map(\.id) == ["one", "two"])
            #expect(try await same.identity() == work.identity())
            #expect(try await store.table(.standard).changes(after: nil).records.map(\.id) == ["one"])
            #expect(try await store.table(.standard).identity() != work.identity())
            let cursor = try await work.changes(after: nil).next
            await #expect(throws: RemoteError.otherHistory) {
                try await store.table(.standard).changes(after: cursor)
            }
        }
    }

    @Test func `versions are base64 of eight bytes, with a growing counter in the first five`() async throws {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            let operations = (0..<300).map { PushOperation.example("todo \($0)") }
            let counters = try await table.answers(to: operations).map { answer -> Int in
                guard case .accepted(let version) = answer else { return -1 }
                let bytes = try #require(Data(base64Encoded: version.string))
                #expect(bytes.count == 8)
                return bytes.prefix(5).reduce(0) { $0 << 8 | Int($1) }
            }
            #expect(counters == Array(1...300))
        }
    }

    @Test func `updatedAt grows with each write, even if the clock stands still or goes back`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            let table = store.table(.standard)
            _ = try await table.answers(to: ["a", "b", "c"].map(PushOperation.example))
            var earlier = StoreSurroundings.testing
            earlier.now = { 5 }
            let late = try Store.open(at: folder, surroundings: earlier).table(.standard)
            let base = try #require(try await table.record(id: "a")).record.version
            _ = try await late.push([PushOperation(operationID: "x", id: "a", change: .delete(base: base))])
            var times: [Int64] = []
            for id in ["a", "b", "c"] {
                times.append(try #require(try await table.record(id: id)).updatedAt)
            }
            #expect(times == [1_000_003, 1_000_001, 1_000_002])
            #expect(try await table.record(id: "a")?.createdAt == 1_000_000)
            #expect(try await table.record(id: "a")?.record.isDeleted == true)
            #expect(try await table.record(id: "none") == nil)
            #expect(try await table.record(id: "A") == nil)
        }
    }

    @Test func `a store restored from a backup has another history for everything after the backup`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/store"
            let backup = "\(folder)/backup"
            var (before, middle, after) = (Cursor?.none, Cursor?.none, Cursor?.none)
            var lastAccepted: Version?
            do {
                let table = try Store.create(at: path, surroundings: .testing).table(.standard)
                _ = try await table.answers(to: ["a", "b"].map(PushOperation.example))
                before = try await table.changes(after: nil).next
            }
            try FileManager.default.copyItem(atPath: path, toPath: backup)
            do {
                var table = try Store.open(at: path, surroundings: .testing).table(.standard)
                table.pageSize = 3
                let answers = try await table.answers(to: ["c", "d", "e"].map(PushOperation.example))
                if case .accepted(let version) = answers[2] { lastAccepted = version }
                // This cursor is in the middle of one push's changes.
                middle = try await table.changes(after: nil).next
                after = try await table.changes(after: middle).next
            }
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.copyItem(atPath: backup, toPath: path)
            let table = try Store.open(at: path, surroundings: .testing).table(.standard)
            func expectAnotherHistory() async {
                for cursor in [middle, after] {
                    await #expect(throws: RemoteError.otherHistory) { try await table.changes(after: cursor) }
                }
            }
            await expectAnotherHistory()
            #expect(try await table.changes(after: before).records.isEmpty)
            // The store's sequences pass the cursor's, but the marks differ.
            _ = try await table.answers(to: [.example("c")])
            await expectAnotherHistory()
            _ = try await table.answers(to: ["d", "e", "f", "g"].map(PushOperation.example))
            await expectAnotherHistory()
            #expect(try await table.changes(after: before).records.map(\.id) == ["c", "d", "e", "f", "g"])
            // A client that only pushed has an older cursor, but remembers an accepted operation.
            try await table.verify(try #require(before))
            await #expect(throws: RemoteError.otherHistory) {
                try await table.verify(
                    AcceptedOperation(operationID: "insert e", version: try #require(lastAccepted)))
            }
        }
    }

    @Test func `a version from another history is never assigned again`() async throws {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: "\(folder)/one", surroundings: .testing).table(.standard)
            let twin = try Store.create(at: "\(folder)/two", surroundings: .testing).table(.standard)
            _ = try await table.answers(to: [.example("a")])
            let answers = try await twin.answers(to: [.example("a")])
            guard case .accepted(let version) = answers[0] else {
                Issue.record("\(answers)")
                return
            }
            let current = try await table.record(id: "a")?.record
            let delete = PushOperation(operationID: "x", id: "a", change: .delete(base: version))
            #expect(try await table.answers(to: [delete]) == [.movedOn(current)])
        }
    }

    @Test func `concurrent batches from several connections lose nothing`() async throws {
        try await withTemporaryFolder { folder in
            _ = try Store.create(at: folder, surroundings: .testing)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    group.addTask {
                        let table = try Store.open(at: folder, surroundings: .testing).table(.standard)
                        for round in 0..<5 {
                            let ids = (0..<40).map { "\(writer) \(round) \($0)" }
                            let answers = try await table.answers(to: ids.map(PushOperation.example))
                            #expect(answers.allSatisfy { if case .accepted = $0 { true } else { false } })
                        }
                    }
                }
                try await group.waitForAll()
            }
            var table = try Store.open(at: folder, surroundings: .testing).table(.standard)
            table.pageSize = 10_000
            let records = try await table.changes(after: nil).records
            #expect(Set(records.map(\.id)).count == 1200)
            #expect(Set(records.map(\.version)).count == 1200)
        }
    }

    @Test func `a page of large records ends early, but is never empty`() async throws {
        try await withTemporaryFolder { folder in
            var table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            _ = try await table.answers(to: ["a", "b", "c", "d", "e"].map(PushOperation.example))
            for (byteSize, expected) in [(1, [1, 1, 1, 1, 1]), (100, [2, 2, 1]), (1 << 20, [5])] {
                table.pageByteSize = byteSize
                var counts: [Int] = []
                var page = try await table.changes(after: nil)
                counts.append(page.records.count)
                while !page.isLast {
                    page = try await table.changes(after: page.next)
                    counts.append(page.records.count)
                }
                #expect(counts == expected, "pages of \(byteSize) bytes")
            }
        }
    }

    @Test func `a cancelled push reports that it was cancelled, and writes nothing`() async throws {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await table.answers(to: [.example("one")])
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await table.changes(after: nil).records.isEmpty)
        }
    }

    @Test func `a push reports a busy store if it waits too long for another writer`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            let other = try Store.open(at: folder, surroundings: .testing, busyTimeout: 0.05).table(.standard)
            let (lockIsHeld, continuation) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            async let holder: Void = store.sqlite.writeDatabase { _ in
                continuation.finish()
                release.wait()
            }
            for await _ in lockIsHeld {}
            let busy = RemoteError.store(.busy(path: folder))
            await #expect(throws: busy) { try await other.answers(to: [.example("one")]) }
            #expect(try await other.changes(after: nil).records.isEmpty)
            release.signal()
            try await holder
            _ = try await other.answers(to: [.example("one")])
            #expect(try await other.changes(after: nil).records.count == 1)
        }
    }

    @Test func `a push to a full disk reports that, and leaves nothing behind`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            let table = store.table(.standard)
            _ = try await table.answers(to: [.example("one")])
            let cursor = try await table.changes(after: nil).next
            func limit(pages: Int) async throws {
                try await store.sqlite.writeDatabase {
                    try SQLStatement("PRAGMA max_page_count = \(pages)", in: $0).run()
                }
            }
            try await limit(pages: 20)
            let many = (0..<500).map { PushOperation.example("todo \($0)") }
            await #expect(throws: RemoteError.store(.diskFull(path: folder))) {
                try await table.answers(to: many)
            }
            #expect(try await table.changes(after: cursor).records.isEmpty)
            try await limit(pages: 1_000_000)
            _ = try await table.answers(to: many)
            #expect(try await table.changes(after: cursor).records.count == 500)
        }
    }
}
