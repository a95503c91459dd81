import Platform
import Synchronization
import Testing

@Suite struct PoolTests {
    /// What callers did.
    private final class Uses: Sendable {
        private let inUse = Mutex<Set<Int>>([])
        private let callers = Mutex<[Int]>([])

        var order: [Int] { callers.withLock { $0 } }

        func begin(_ element: Int, _ caller: Int) {
            let wasFree = inUse.withLock { $0.insert(element).inserted }
            #expect(wasFree)
            callers.withLock { $0.append(caller) }
        }

        func end(_ element: Int) { inUse.withLock { _ = $0.remove(element) } }
    }

    @Test func `each element is used by one caller at a time, in the order of the calls`() async throws {
        let pool = Pool([0, 1])
        let uses = Uses()
        try await withThrowingTaskGroup { group in
            let (isReleased, release) = AsyncStream.makeStream(of: Void.self)
            group.addTask { try await pool.use { _ in for await _ in isReleased {} } }
            group.addTask {
                try await pool.use { _ in
                    while pool.counts.waiting < 10 { try await Task.sleep(for: .milliseconds(1)) }
                }
            }
            while pool.counts.busy < 2 { try await Task.sleep(for: .milliseconds(1)) }
            for caller in 0..<10 {
                group.addTask {
                    try await pool.use { element in
                        uses.begin(element, caller)
                        await Task.yield()
                        uses.end(element)
                    }
                }
                // The callers come one after the other.
                while pool.counts.waiting <= caller, uses.order.isEmpty {
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
            while uses.order.count < 10 { try await Task.sleep(for: .milliseconds(1)) }
            release.finish()
            try await group.waitForAll()
        }
        #expect(uses.order == Array(0..<10))
        #expect(pool.counts == (0, 0))
    }

    @Test func `a caller that failed or was cancelled gives its element back`() async throws {
        struct Failure: Error {}
        let pool = Pool(["only"])
        await #expect(throws: Failure.self) { try await pool.use { _ in throw Failure() } }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await pool.use { _ in _ = Issue.record("the work began") }
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try await pool.use { $0 } == "only")
    }
}
