#if PostgreSQL
    import Foundation
    import Platform
    import Synchronization
    import TestSupport

    /// Forwards messages between clients and a PostgreSQL server, cuts connections between messages, and
    /// changes statements and answers.
    ///
    /// The messages are described in PostgreSQL's documentation, under "Message Formats".
    final class MessageProxy: Sendable {
        /// The folder of the proxy's socket, which is the host of a connection.
        let folder: String
        private let target: String
        private let listener: Int32
        private let state: Mutex<State>

        private struct State {
            var random: SplitMix64
            /// One of this number of messages cuts its connection; 0 for none.
            var cutRate = 0
            var cutCount = 0
            /// Replacements in the text of statements.
            var replacements: [(text: String, replacement: String)] = []
            /// A replacement in the server's answers; both texts have the same length.
            var answer: (text: String, replacement: String)?
        }

        /// Starts a proxy for the server whose socket is in the given folder.
        init(of target: String, seed: UInt64) throws {
            self.target = target + "/.s.PGSQL.5432"
            folder =
                FileManager.default.temporaryDirectory.appending(
                    path: "todosync-proxy-\(getpid())-\(nextNumber())"
                ).path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            state = Mutex(State(random: SplitMix64(seed: seed)))
            listener = Platform.socket(AF_UNIX, streamSocket, 0)
            _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
            let isListening = withSocketAddress(folder + "/.s.PGSQL.5432") { bind(listener, $0, $1) == 0 }
            guard isListening, listen(listener, 100) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
            let descriptor = listener
            Thread.detachNewThread { [weak self] in
                while true {
                    let client = accept(descriptor, nil, nil)
                    guard client >= 0, let self else { return }
                    self.pass(client)
                }
            }
        }

        deinit {
            shutdown(listener, Int32(SHUT_RDWR))
            close(listener)
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// From now on, cuts the connection at one of `rate` messages; 0 for never.
        func cut(oneOf rate: Int) { state.withLock { $0.cutRate = rate } }

        var cutCount: Int { state.withLock { $0.cutCount } }

        /// Replaces words in all statements that are prepared from now on.
        func replace(_ text: String, with replacement: String) {
            state.withLock { $0.replacements.append((text, replacement)) }
        }

        /// Replaces bytes in all answers from now on by the same number of bytes.
        func replaceInAnswers(_ text: String, with replacement: String) {
            state.withLock { $0.answer = (text, replacement) }
        }

        private func pass(_ client: Int32) {
            let server = Platform.socket(AF_UNIX, streamSocket, 0)
            for descriptor in [client, server] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            guard withSocketAddress(target, { connect(server, $0, $1) == 0 }) else {
                close(client)
                close(server)
                return
            }
            let pair = SocketPair(client: client, server: server)
            Thread.detachNewThread { [weak self] in
                // The first message has no type.
                var isFirst = true
                while let message = readMessage(from: client, hasType: !isFirst) {
                    guard let self else { break }
                    let isCut = isFirst ? nil : self.cut()
                    if isCut == .before { break }
                    guard writeAll(self.changed(message, isFirst: isFirst), to: server), isCut == nil else {
                        break
                    }
                    isFirst = false
                }
                pair.cut()
            }
            Thread.detachNewThread { [weak self] in
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while true {
                    let count = read(server, &buffer, buffer.count)
                    guard count > 0, let self, self.cut() == nil,
                        writeAll(self.changedAnswer(Array(buffer[..<count])), to: client)
                    else { break }
                }
                pair.cut()
            }
        }

        private func changedAnswer(_ bytes: [UInt8]) -> [UInt8] {
            guard let (text, replacement) = state.withLock({ $0.answer }) else { return bytes }
            var bytes = bytes
            bytes.replace(Array(text.utf8), with: Array(replacement.utf8))
            return bytes
        }

        private enum Cut { case before, after }

        private func cut() -> Cut? {
            state.withLock { state in
                guard state.cutRate > 0, Int.random(in: 0..<state.cutRate, using: &state.random) == 0 else {
                    return nil
                }
                state.cutCount += 1
                return state.random.chance(0.5) ? .before : .after
            }
        }

        private func changed(_ message: [UInt8], isFirst: Bool) -> [UInt8] {
            let replacements = state.withLock { $0.replacements }
            // "P" is the message Parse: the name and the text of a statement, then the types of its
            // parameters.
            guard !isFirst, message.first == UInt8(ascii: "P"), !replacements.isEmpty else { return message }
            let parts = message[5...].split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            var text = String(decoding: parts[1], as: UTF8.self)
            for (old, new) in replacements {
                // "COMMIT" must not match a part of "COMMITTED".
                text = text.replacingOccurrences(
                    of: NSRegularExpression.escapedPattern(for: old) + "(?![A-Z])",
                    with: NSRegularExpression.escapedTemplate(for: new), options: .regularExpression)
            }
            let body = Array(parts[0]) + [0] + Array(text.utf8) + [0] + Array(parts[2])
            return [UInt8(ascii: "P")] + bytes(of: body.count + 4) + body
        }
    }

    #if os(Linux)
        private let streamSocket = Int32(SOCK_STREAM.rawValue)
    #else
        private let streamSocket = SOCK_STREAM
    #endif

    /// Both ends of a connection, which are closed together.
    private final class SocketPair: Sendable {
        private let client: Int32
        private let server: Int32
        private let openCount = Mutex(2)

        init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

        /// Ends both directions; the second thread that ends closes the sockets.
        func cut() {
            for descriptor in [client, server] { shutdown(descriptor, Int32(SHUT_RDWR)) }
            let count = openCount.withLock { count in
                count -= 1
                return count
            }
            if count == 0 { for descriptor in [client, server] { close(descriptor) } }
        }
    }

    private func withSocketAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private func bytes(of number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private func readMessage(from descriptor: Int32, hasType: Bool) -> [UInt8]? {
        let head = hasType ? 5 : 4
        guard var message = readExactly(head, from: descriptor) else { return nil }
        let size = message.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        guard size >= 4, let body = readExactly(size - 4, from: descriptor) else { return nil }
        message += body
        return message
    }

    private func readExactly(_ count: Int, from descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress?.advanced(by: done), count - done)
            }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
#endif
