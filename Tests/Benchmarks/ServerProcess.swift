internal import Platform

/// A server that runs during a measurement.
final class ServerProcess {
    /// The URL that it reported.
    let url: String
    let process: pid_t

    /// Starts a server and waits until it listens.
    ///
    /// - Parameter port: The port that the command's arguments choose; nil for a server that prints a line
    ///   ending with its URL.
    /// - Throws: ``CommandFailure`` if the server doesn't start to listen.
    init(_ command: Command, environment: [String], log: String, port: UInt16? = nil) throws {
        var pipeEnds: [Int32] = [-1, -1]
        guard pipe(&pipeEnds) == 0 else { throw ServerFailure(reason: "no pipe") }
        defer { close(pipeEnds[0]) }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&files, pipeEnds[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addclose(&files, pipeEnds[0])
        #if canImport(Glibc)
            var attributes = posix_spawnattr_t()
        #else
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The parent process can have blocked the signal that stops the server.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments = ([command.program] + command.arguments).map { strdup($0) }
        let variables = environment.map { strdup($0) }
        defer { for pointer in arguments + variables { free(pointer) } }
        var child = pid_t()
        let code = posix_spawn(
            &child, command.program, &files, &attributes, arguments + [nil], variables + [nil])
        close(pipeEnds[1])
        guard code == 0 else {
            throw CommandFailure(command: command, status: code, output: String(cString: strerror(code)))
        }
        process = child
        if let port {
            guard Self.waits(for: port) else {
                Self.stop(child)
                throw CommandFailure(command: command, status: 0, output: try readText(log))
            }
            url = "http://127.0.0.1:\(port)"
            return
        }
        guard let url = Self.firstLine(from: pipeEnds[0]).split(separator: " ").last else {
            Self.stop(child)
            throw CommandFailure(command: command, status: 0, output: try readText(log))
        }
        self.url = String(url)
    }

    /// Reads until the end of the first line or of the input.
    private static func firstLine(from descriptor: Int32) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Tries for some seconds to connect to a port of this machine; returns whether that succeeded.
    private static func waits(for port: UInt16) -> Bool {
        for _ in 0..<200 {
            if (try? HTTPConnection(port: port)) != nil { return true }
            usleep(50_000)
        }
        return false
    }

    deinit { Self.stop(process) }

    private static func stop(_ process: pid_t) {
        kill(process, SIGTERM)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    }
}

/// A server could not be started.
struct ServerFailure: Error, CustomStringConvertible {
    let reason: String
    var description: String { "the server could not be started: \(reason)" }
}
