internal import Platform

/// Raises the limit on open files to the number that the process might need.
///
/// Beyond the limit, the network library and the runtime end the process instead of throwing an error.
///
/// - Throws: A ``Failure`` if the system's limit is too low.
func allowOpenFiles() throws {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return }
    // Each thread of the network library has three files open, and a server has one thread for each
    // processor.
    let needed = 64 + 3 * rlim_t(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let wanted = max(usualCount, needed)
    if limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max {
        limit.rlim_cur = min(limit.rlim_max, wanted)
        _ = setrlimit(openFiles, &limit)
    }
    if limit.rlim_cur < needed { throw Failure(openFiles: Int(limit.rlim_cur), needed: Int(needed)) }
}

extension Failure {
    /// Creates the failure of a process that may open fewer files than it needs.
    init(openFiles count: Int, needed: Int) {
        self.init(
            .cannotReadOrWrite,
            "the system lets todosync open \(count) files at a time; it needs up to \(needed)",
            hint: Advice.afterFault(EMFILE))
    }
}

/// Raises the limit on open files to a number, as far as the system allows it.
///
/// - Returns: The number of files that the process may open.
func allowOpenFiles(upTo count: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return Int(usualCount) }
    let wanted = min(limit.rlim_max, rlim_t(count))
    if limit.rlim_cur < wanted {
        let former = limit.rlim_cur
        limit.rlim_cur = wanted
        if setrlimit(openFiles, &limit) != 0 { limit.rlim_cur = former }
    }
    return Int(min(limit.rlim_cur, rlim_t(Int32.max)))
}

private let usualCount: rlim_t = 1024

#if canImport(Glibc)
    private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
    private let openFiles = RLIMIT_NOFILE
#endif
