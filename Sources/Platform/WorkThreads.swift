internal import Dispatch
internal import Synchronization

/// A few threads for asynchronous work, instead of the runtime's own.
///
/// The runtime starts a thread for each processor, and an event loop. If the system refuses one of them, the
/// runtime waits forever or ends the process. Work on these threads may block.
package final class WorkThreads: TaskExecutor {
    /// The threads that the current task runs on; nil for those of the runtime.
    ///
    /// A task that isn't a child of the current one has to be started on them explicitly.
    @TaskLocal package static var current: WorkThreads?

    private let jobs = Mutex<[UnownedJob]>([])
    private let jobCount = DispatchSemaphore(value: 0)

    /// Starts threads, which wait for work until the process ends.
    ///
    /// - Parameter count: The number of threads; there are fewer if the system refuses to start more.
    /// - Throws: The error for the first thread.
    package init(count: Int) throws(ThreadError) {
        for number in 0..<count {
            do throws(ThreadError) {
                _ = try StartedThread { [self] in work() }
            } catch {
                if number == 0 { throw error }
                break
            }
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        jobCount.signal()
    }

    private func work() -> Never {
        while true {
            jobCount.wait()
            let job = jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// A thread that runs a function.
///
/// It handles no signals that ask the process to end; these go to the process's first thread.
package struct StartedThread {
    private let thread: pthread_t

    /// Starts a thread.
    package init(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
        let context = Unmanaged.passRetained(Work(body))
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        #if canImport(Glibc)
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, { runWork($0) }, context.toOpaque())
            let started = code == 0 ? thread : nil
        #else
            var thread: pthread_t?
            let code = pthread_create(&thread, nil, { runWork($0) }, context.toOpaque())
            let started = code == 0 ? thread : nil
        #endif
        guard let started else {
            context.release()
            throw ThreadError(code: code)
        }
        self.thread = started
    }

    /// Waits until the function has returned.
    package func join() { pthread_join(thread, nil) }
}

/// The reason why the system didn't start a thread.
package struct ThreadError: Error {
    /// The `errno`.
    package let code: Int32
}

private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
    return nil
}
