import Foundation
package import Testing

/// Runs tests that wait for programs on two threads of their own.
///
/// All others share as few threads as there are processors, and would wait with them: those that talk over
/// sockets, so long that they are taken for slow clients.
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
