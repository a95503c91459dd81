internal import Dispatch
internal import Synchronization

/// Runs asynchronous work and waits for it.
///
/// The few commands that talk to a remote enter asynchronous code here. An asynchronous `main` would make
/// every command start the concurrency runtime. If a signal asks the command to end, the work is cancelled,
/// and this function waits until the work has ended.
///
/// - Parameter progress: shows how far the work has come.
/// - Throws: What the work throws; a ``Failure`` if the system doesn't provide what the work needs.
func waiting<Result: Sendable>(
    showing progress: ProgressLine? = nil, for work: @escaping @Sendable () async throws -> Result
) throws -> Result {
    try checkEventLoop()
    let outcome = Outcome<Result>()
    let isDone = DispatchSemaphore(value: 0)
    let task = Task {
        do {
            outcome.set(.success(try await work()))
        } catch {
            outcome.set(.failure(error))
        }
        isDone.signal()
    }
    try wait(for: isDone, of: task, showing: progress)
    return try outcome.get()
}

/// Waits for the end of work, but not forever if the work needs more threads than the system provides.
///
/// The work is cancelled if a signal asks the command to end. The runtime asks for a thread again and again,
/// for as long as it takes, while the work keeps its lock. Work that is still running after a minute, as a
/// server's is, has had all the threads that it needs.
private func wait(
    for isDone: DispatchSemaphore, of task: Task<Void, Never>, showing progress: ProgressLine?
) throws {
    let pause = Int(Interruption.pause)
    var (waited, secondsWithoutThread) = (0, 0)
    while isDone.wait(timeout: .now() + .milliseconds(pause)) == .timedOut {
        if Interruption.status != nil { task.cancel() }
        progress?.tick()
        let seconds = waited / 1000
        waited += pause
        guard waited / 1000 > seconds, seconds < 60 else { continue }
        secondsWithoutThread = threadError() == 0 ? 0 : secondsWithoutThread + 1
        if secondsWithoutThread >= 10 { try checkEventLoop() }
    }
}

/// Runs blocking work that doesn't wait for a remote, while asynchronous work can go on.
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
