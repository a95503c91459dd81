internal import CSystemCalls
internal import Dispatch
internal import Platform

/// Checks that the system provides what event loops need: threads, a way to wait for events, and /proc.
///
/// Without a thread, the runtime would wait forever. Without a way to wait for events, or without a thread
/// for an event loop, the network library would end the program. So would the runtime when it reads in /proc
/// which of its threads are running.
///
/// - Parameter count: The number of threads that can run at the same time. The standard number is enough for
///   requests to one server: an event loop, the runtime's timer and its work, and some that are still ending.
/// - Throws: A ``Failure`` if something is missing.
func checkEventLoop(threads count: Int = 6) throws {
    #if os(Linux)
        guard access("/proc/\(getpid())/stat", R_OK) == 0 else {
            throw Failure(
                .cannotReadOrWrite, "can't find this process in /proc",
                hint: "run \"mount -t proc proc /proc\" as root and try again")
        }
    #endif
    let thread = threadError(count)
    if thread != 0 { throw Failure(.cannotReadOrWrite, "can't start a thread", code: thread) }
    let events = csystem_event_error()
    guard events != 0 else { return }
    throw Failure(
        .cannotReadOrWrite, "can't wait for events (epoll): \(systemErrorWords(events))",
        hint: events == ENOSPC
            ? "allow more watched files (sysctl fs.epoll.max_user_watches) and try again"
            : Advice.afterFault(events))
}

/// The number of threads that a server needs: for each processor an event loop, a thread for work and one for
/// files, and under load those of the connections to the store, for each kind of request.
var threadsOfServer: Int { 3 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 18 }

/// Tries to start threads that run at the same time, and returns 0 or the `errno`.
func threadError(_ count: Int = 1) -> Int32 {
    let gate = DispatchSemaphore(value: 0)
    var (threads, code): ([StartedThread], Int32) = ([], 0)
    while threads.count < count, code == 0 {
        do throws(ThreadError) {
            threads.append(try StartedThread { gate.wait() })
        } catch {
            code = error.code
        }
    }
    for _ in threads { gate.signal() }
    for thread in threads { thread.join() }
    return code
}
