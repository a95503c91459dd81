#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Makes Ctrl-C end the process with the contract's status.
///
/// It ends at once, wherever it is: what is half done is finished or taken back by the next command, as after
/// a crash, and the kernel releases the lock.
func endOnInterruption() {
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
}
