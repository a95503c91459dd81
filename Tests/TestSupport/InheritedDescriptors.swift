package import Foundation

#if canImport(Darwin)
    /// Keeps all descriptors but the standard streams from a program.
    ///
    /// SwiftNIO's accepted sockets aren't close-on-exec, and a client doesn't notice the end of a connection
    /// while another process has its socket.
    package func inheritOnlyStreams(
        _ actions: inout posix_spawn_file_actions_t?, _ flags: inout Int16
    ) {
        flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
    }
#else
    /// Keeps all descriptors but the standard streams from a program.
    ///
    /// SwiftNIO's accepted sockets aren't close-on-exec, and a client doesn't notice the end of a connection
    /// while another process has its socket.
    package func inheritOnlyStreams(
        _ actions: inout posix_spawn_file_actions_t, _ flags: inout Int16
    ) {
        // Swift's Glibc module lacks this function, because it isn't in POSIX.
        typealias CloseFrom =
            @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        guard let function = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
        _ = unsafeBitCast(function, to: CloseFrom.self)(&actions, STDERR_FILENO + 1)
    }
#endif
