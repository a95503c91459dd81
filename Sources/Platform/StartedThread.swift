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
