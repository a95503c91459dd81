internal import CSystemCalls
internal import Platform

/// Checks that the system provides what asynchronous work needs: a thread and a way to wait for events.
///
/// Without a thread, the runtime would wait forever. Without a way to wait for events, the network library
/// would end the program.
///
/// - Throws: A ``Failure`` if something is missing.
func checkEventLoop() throws {
    let thread = threadError()
    if thread != 0 { throw Failure(.cannotReadOrWrite, "can't start a thread", code: thread) }
    let events = csystem_event_error()
    if events != 0 { throw Failure(.cannotReadOrWrite, "can't wait for events (epoll)", code: events) }
}

/// Tries to start a thread and returns 0 or the `errno`.
func threadError() -> Int32 {
    #if canImport(Glibc)
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, { _ in nil }, nil)
        if code == 0 { pthread_join(thread, nil) }
    #else
        var thread: pthread_t?
        let code = pthread_create(&thread, nil, { _ in nil }, nil)
        if let thread { pthread_join(thread, nil) }
    #endif
    return code
}
