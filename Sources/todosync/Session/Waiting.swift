internal import Dispatch
internal import Synchronization

/// Runs asynchronous work and waits for it.
///
/// The entry into asynchronous code of the few commands that talk to a remote. An asynchronous `main` would
/// cost every command the start of the concurrency runtime.
func waiting<Result: Sendable>(
    for work: @escaping @Sendable () async throws -> Result
) throws -> Result {
    let outcome = Outcome<Result>()
    let isDone = DispatchSemaphore(value: 0)
    Task {
        do {
            outcome.set(.success(try await work()))
        } catch {
            outcome.set(.failure(error))
        }
        isDone.signal()
    }
    isDone.wait()
    return try outcome.get()
}

/// Runs work that waits for something else than a remote, without keeping asynchronous work from going on.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Swift.Result { try work() }) }
    }
}

private final class Outcome<Success: Sendable>: Sendable {
    private let value = Mutex<Swift.Result<Success, any Error>?>(nil)

    func set(_ result: Swift.Result<Success, any Error>) { value.withLock { $0 = result } }

    func get() throws -> Success {
        guard let result = value.withLock({ $0 }) else {
            preconditionFailure("the work ends before it is asked for")
        }
        return try result.get()
    }
}
