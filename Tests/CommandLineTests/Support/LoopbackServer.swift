import Foundation
import Platform
import Synchronization

/// A server on a port of this machine, with a thread for each connection.
final class LoopbackServer: Sendable {
    let port: UInt16
    private let listener: Listener

    init(_ serve: @escaping @Sendable (LoopbackConnection) -> Void) throws {
        signal(SIGPIPE, SIG_IGN)
        let listener = Listener(descriptor: try LoopbackConnection.newSocket())
        self.listener = listener
        var address = LoopbackConnection.address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (bound, number) = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener.descriptor, address, size) == 0 && listen(listener.descriptor, 64) == 0
                    && getsockname(listener.descriptor, address, &size) == 0
            }
                ? (true, address.pointee.sin_port) : (false, 0)
        }
        guard bound else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: number)
        Thread.detachNewThread {
            while let connection = listener.accept() {
                Thread.detachNewThread {
                    serve(connection)
                    connection.end()
                }
            }
        }
    }

    deinit { listener.end() }

    /// The listening socket; it stays open until the accepting thread is done with it, so that no other
    /// socket gets its number.
    private final class Listener: Sendable {
        let descriptor: Int32
        private let hasEnded = Mutex(false)

        init(descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        /// Returns the next connection; nil at the end.
        func accept() -> LoopbackConnection? {
            while !hasEnded.withLock(\.self) {
                #if canImport(Glibc)
                    let accepted = Glibc.accept(descriptor, nil, nil)
                #else
                    let accepted = Darwin.accept(descriptor, nil, nil)
                #endif
                if accepted >= 0 { return LoopbackConnection(descriptor: accepted) }
                usleep(1_000)
            }
            return nil
        }

        func end() {
            hasEnded.withLock { $0 = true }
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }
}

/// One end of a connection on this machine; it is closed with its last reference, so that no other socket
/// gets its number.
final class LoopbackConnection: Sendable {
    let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to a port of this machine.
    init(port: UInt16) throws {
        descriptor = try Self.newSocket()
        var address = Self.address(port: port)
        let isConnected = withUnsafePointer(to: &address) { [descriptor] address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    /// Returns the bytes that have arrived; nil at the end.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Returns the head of a request without a body; nil at the end.
    func readHead() -> String? {
        var head: [UInt8] = []
        while head.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            guard let more = read() else { return nil }
            head += more
        }
        return String(decoding: head, as: UTF8.self)
    }

    /// Sends bytes; returns false if the connection has ended.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Ends both directions, even if a child program has inherited the socket.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    fileprivate static func newSocket() throws -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw POSIXError(.EMFILE) }
        return descriptor
    }

    fileprivate static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = port.bigEndian
        return address
    }
}
