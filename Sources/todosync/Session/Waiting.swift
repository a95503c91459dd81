internal import Dispatch
internal import Platform
internal import Synchronization

/// The threads that run a command's asynchronous work.
enum WorkingThreads {
    /// A few threads, which are all that a command with a remote needs.
    case few
    /// The runtime's threads, one for each processor, which share many requests.
    case many
}

/// Runs asynchronous work and waits for it.
///
/// The few commands that contact a remote enter asynchronous code here. An asynchronous `main` would start
/// the concurrency runtime for every command. If a signal asks the command to end, this function cancels the
/// work and waits for its end.
///
/// - Parameter progress: The line that shows the progress of the work.
/// - Throws: The work's error, or a ``Failure`` if the system doesn't provide what the work needs.
func waiting<Result: Sendable>(
    showing progress: ProgressLine? = nil, on threads: WorkingThreads = .few,
    for work: @escaping @Sendable () async throws -> Result
) throws -> Result {
    let executor: WorkThreads?
    switch threads {
    case .few: executor = try startedThreads()
    case .many:
        try checkEventLoop(threads: threadsOfServer)
        executor = nil
    }
    let outcome = Outcome<Result>()
    let isDone = DispatchSemaphore(value: 0)
    let task = WorkThreads.$current.withValue(executor) {
        Task(executorPreference: executor) {
            do {
                outcome.set(.success(try await work()))
            } catch {
                outcome.set(.failure(error))
            }
            isDone.signal()
        }
    }
    try wait(for: isDone, of: task, showing: progress)
    return try outcome.get()
}

/// Returns threads for work that waits for one remote: one of them can read from it while the other one
/// merges what came before.
private func startedThreads() throws -> WorkThreads {
    do {
        return try WorkThreads(count: 2)
    } catch {
        throw Failure(.cannotReadOrWrite, "can't start a thread", code: error.code)
    }
}

/// Waits for the end of work, but not forever if the system provides too few threads.
///
/// A signal that asks the command to end cancels the work. The runtime would retry starting a thread
/// forever, while the work keeps its lock. Work that is still running after a minute, such as a server's, has
/// all the threads that it needs.
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

/// Pauses asynchronous work, without an event loop if it runs on a few threads.
func pause(for time: Duration) async throws {
    if WorkThreads.current == nil { return try await Task.sleep(for: time) }
    var rest = time
    while rest > .zero {
        try Task.checkCancellation()
        usleep(useconds_t(Interruption.pause) * 1000)
        rest -= .milliseconds(Int(Interruption.pause))
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
