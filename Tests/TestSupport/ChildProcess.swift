import Foundation

/// A program that a test runs.
///
/// Foundation's `Process` reads beyond a buffer if very many files are open, as they are while all tests run
/// at once (swift-corelibs-foundation#5472). It also waits for programs in the background.
package final class ChildProcess {
    /// The source of a program's input, or the target of its output.
    package enum Stream {
        case nothing
        /// A file; output is appended to it.
        case file(String)
        case descriptor(Int32)
    }

    /// The result of a program that has ended.
    package struct Result: Sendable {
        /// The exit status, or 128 plus the signal that ended the program.
        package var status: Int32
        package var output: [UInt8]
        package var errors: [UInt8]
    }

    private let identifier: pid_t
    private var status: Int32?

    /// Starts a program, whose name is looked up in the `PATH` of its environment.
    ///
    /// The environment is this process's by default.
    package init(
        _ words: [String], in folder: String = "/", environment: [String: String]? = nil,
        input: Stream = .nothing, output: Stream = .nothing, errors: Stream = .nothing
    ) throws {
        #if canImport(Glibc)
            var files = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var files: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        for (stream, descriptor) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)]
        {
            let flags = descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND
            switch stream {
            case .nothing:
                posix_spawn_file_actions_addopen(
                    &files, descriptor, "/dev/null", flags & ~(O_CREAT | O_APPEND), 0)
            case .file(let path): posix_spawn_file_actions_addopen(&files, descriptor, path, flags, 0o600)
            case .descriptor(let other): posix_spawn_file_actions_adddup2(&files, other, descriptor)
            }
        }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The tests' own sockets ignore this signal, and programs inherit ignored signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        var flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        inheritOnlyStreams(&files, &flags)
        posix_spawnattr_setflags(&attributes, flags)
        // A shell changes the folder, because not every system's posix_spawn can.
        let shell = ["/bin/sh", "-c", #"cd -- "$0" && exec "$@""#, folder]
        let variables = environment ?? ProcessInfo.processInfo.environment
        let arguments = (shell + words).map { strdup($0) }
        let settings = variables.map { strdup("\($0.key)=\($0.value)") }
        defer { for pointer in arguments + settings { free(pointer) } }
        var process = pid_t()
        let code = posix_spawn(&process, shell[0], &files, &attributes, arguments + [nil], settings + [nil])
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        identifier = process
    }

    package var isRunning: Bool {
        waitForEnd(WNOHANG)
        return status == nil
    }

    /// Waits until the program has ended, regardless of its children; returns its exit status, or 128 plus
    /// the signal that ended it.
    @discardableResult
    package func wait() -> Int32 {
        waitForEnd(0)
        return status ?? -1
    }

    /// Sends the program a signal if it is still running.
    package func signal(_ number: Int32) {
        if isRunning { kill(identifier, number) }
    }

    private func waitForEnd(_ options: Int32) {
        guard status == nil else { return }
        var word: Int32 = 0
        var ended = waitpid(identifier, &word, options)
        while ended < 0, errno == EINTR { ended = waitpid(identifier, &word, options) }
        // The result of wait(2) contains a signal in the lowest seven bits, or 0 and the status in the next
        // eight.
        if ended == identifier { status = word & 0x7F == 0 ? word >> 8 & 0xFF : 128 + word & 0x7F }
    }

    /// Runs a program to its end.
    package static func run(
        _ words: [String], in folder: String = "/", environment: [String: String]? = nil, input: [UInt8] = []
    ) throws -> Result {
        // Files accept any amount of output without another thread to read it.
        let scratch = try TemporaryFolder()
        let names = ["input", "output", "errors"].map(scratch.path(of:))
        for name in names { try Data(name == names[0] ? input : []).write(to: URL(filePath: name)) }
        let process = try ChildProcess(
            words, in: folder, environment: environment, input: .file(names[0]), output: .file(names[1]),
            errors: .file(names[2]))
        let status = process.wait()
        return Result(
            status: status, output: Array(try Data(contentsOf: URL(filePath: names[1]))),
            errors: Array(try Data(contentsOf: URL(filePath: names[2]))))
    }
}
