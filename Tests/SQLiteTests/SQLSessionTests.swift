import Dispatch
import Foundation
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing

@Suite struct SQLSessionTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "notes.sqlite")
    }

    @Test func `the first use opens the connection, and the next one again if that failed`() async throws {
        let path = path
        let opened = Mutex(0)
        let session = SQLSession {
            opened.withLock { $0 += 1 }
            return try SQLConnection(path)
        }
        #expect(opened.withLock { $0 } == 0)
        let error = await #expect(throws: SQLError.self) { try await session.run { _ in } }
        #expect(error?.code == .cannotOpen)
        try SQLConnection(path, for: .creating).execute("CREATE TABLE a (b)")
        for _ in 0..<3 {
            try await session.run { try $0.execute("INSERT INTO a VALUES (1)") }
            try session.runAtOnce { try $0.execute("INSERT INTO a VALUES (1)") }
        }
        #expect(opened.withLock { $0 } == 2)
        session.close()
        await #expect(throws: SQLError.self) {
            try await session.run { try $0.execute("INSERT INTO a VALUES (1)") }
        }
        #expect(opened.withLock { $0 } == 2)
    }

    @Test func `a session closes its connection with its last reference`() async throws {
        try SQLConnection(path, for: .creating).useLog()
        do {
            let session = SQLSession(try SQLConnection(path))
            try await session.run { try $0.execute("CREATE TABLE a (b)") }
            #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        }
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }

    @Test func `waiting sessions don't block other tasks`() async throws {
        let count = ProcessInfo.processInfo.activeProcessorCount + 3
        let arrived = DispatchSemaphore(value: 0)
        let released = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                let session = SQLSession { try SQLConnection(":memory:", for: .creating) }
                group.addTask {
                    try await session.run { _ in
                        arrived.signal()
                        released.wait()
                    }
                }
            }
            // This task runs on one of the threads that the sessions would block.
            for _ in 0..<count {
                while arrived.wait(timeout: .now()) == .timedOut {
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
            for _ in 0..<count { released.signal() }
            try await group.waitForAll()
        }
    }

    @Test func `work on threads that may block stays on them`() async throws {
        let threads = try WorkThreads(count: 1)
        let session = SQLSession { try SQLConnection(":memory:", for: .creating) }
        let task = WorkThreads.$current.withValue(threads) {
            Task(executorPreference: threads) {
                let own = pthread_self()
                return try await session.run { _ in pthread_self() == own }
            }
        }
        #expect(try await task.value)
    }

    @Test func `a cancelled task doesn't begin its work, and ends a statement that runs`() async throws {
        let session = SQLSession { try SQLConnection(":memory:", for: .creating) }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await session.run { _ in _ = Issue.record("the work began") }
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let (hasBegun, continuation) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            try await session.run { connection in
                continuation.finish()
                try SQLStatement(
                    """
                    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number)
                    SELECT count(*) FROM number
                    """, in: connection
                ).run()
            }
        }
        for await _ in hasBegun {}
        running.cancel()
        let error = await #expect(throws: SQLError.self) { try await running.value }
        #expect(error?.code == .interrupted)
        try await session.run { try $0.execute("CREATE TABLE a (b)") }
    }
}
