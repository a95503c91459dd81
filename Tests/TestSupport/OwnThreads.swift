import Foundation
package import Testing

/// Runs tests that wait for programs on two separate threads.
///
/// All other tests share as many threads as there are processors, and would have to wait, too. Tests with
/// sockets would wait so long that they would be treated as slow clients.
package struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Executor.shared) { try await function() }
    }

    private final class Executor: TaskExecutor {
        static let shared = Executor()
        private let queue = OperationQueue()

        init() { queue.maxConcurrentOperationCount = 2 }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.addOperation { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}

extension Trait where Self == OwnThreads {
    package static var ownThreads: Self { OwnThreads() }
}
