internal import Platform

/// A connection to a server on this machine, reused for all requests.
///
/// It supports only the parts of HTTP/1.1 that the server uses, so that the measurement covers the server
/// rather than the client.
final class HTTPConnection {
    struct Answer {
        var status: Int
        var head: [UInt8]
        var body: [UInt8]
    }

    private let socket: Int32
    private var buffer: [UInt8] = []
    private var readBuffer = [UInt8](repeating: 0, count: 1 << 16)

    init(port: UInt16) throws {
        socket = newSocket()
        guard withAddress(port, { connect(socket, $0, $1) }) == 0 else {
            throw ServerFailure(reason: "port \(port) refuses connections")
        }
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(socket) }

    /// Sends a request and returns its answer.
    func send(_ request: [UInt8]) throws -> Answer {
        try ask(request)
        return try readAnswer()
    }

    /// Sends a request whose answer is read later.
    func ask(_ request: [UInt8]) throws {
        var sent = 0
        while sent < request.count {
            let count = request[sent...].withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
            guard count > 0 else { throw ServerFailure(reason: "it closed the connection") }
            sent += count
        }
    }

    func readAnswer() throws -> Answer {
        let blankLine = Array("\r\n\r\n".utf8)
        var end = buffer.firstIndex(of: blankLine)
        while end == nil {
            try readMore()
            end = buffer.firstIndex(of: blankLine)
        }
        let head = Array(buffer[..<(end ?? 0)])
        let bodyStart = head.count + blankLine.count
        let total = bodyStart + (header("content-length", in: head).flatMap { Int($0) } ?? 0)
        while buffer.count < total { try readMore() }
        let body = Array(buffer[bodyStart..<total])
        buffer.removeFirst(total)
        let status = String(decoding: head.dropFirst("HTTP/1.1 ".utf8.count).prefix(3), as: UTF8.self)
        return Answer(status: Int(status) ?? 0, head: head, body: body)
    }

    private func readMore() throws {
        let count = read(socket, &readBuffer, readBuffer.count)
        guard count > 0 else { throw ServerFailure(reason: "it closed the connection") }
        buffer.append(contentsOf: readBuffer[..<count])
    }
}

/// Returns a header's value for a lower-case name.
func header(_ name: String, in head: [UInt8]) -> String? {
    for line in head.split(separator: UInt8(ascii: "\n")) {
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2, String(decoding: parts[0], as: UTF8.self).lowercased() == name else {
            continue
        }
        return String(decoding: parts[1].filter { $0 != UInt8(ascii: " ") && $0 != 13 }, as: UTF8.self)
    }
    return nil
}

extension [UInt8] {
    fileprivate func firstIndex(of pattern: [UInt8]) -> Int? {
        guard count >= pattern.count else { return nil }
        return (0...(count - pattern.count)).first {
            self[$0] == pattern[0] && self[$0...].starts(with: pattern)
        }
    }
}

/// Returns a port of this machine that is not in use.
///
/// This is for servers that can't choose a port themselves. Another program can take the port first.
func freePort() throws -> UInt16 {
    let socket = newSocket()
    defer { close(socket) }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withAddress(0) { bind(socket, $0, $1) } == 0
    let isNamed = withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) == 0 }
    }
    guard isBound, isNamed else { throw ServerFailure(reason: "no port is free") }
    return UInt16(bigEndian: address.sin_port)
}

private func newSocket() -> Int32 {
    #if canImport(Glibc)
        Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
        Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
}

/// Calls a function with the socket address of a port of this machine.
private func withAddress(_ port: UInt16, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
