import Foundation
import Platform
import TestSupport

/// A program at a pseudo-terminal, with a user who reads its output and types answers.
///
/// The program leads a session with this controlling terminal, so that Ctrl-C reaches it.
final class TerminalSession {
    struct Timeout: Error, CustomStringConvertible {
        var expected: String
        var transcript: String
        var description: String {
            "waited in vain for \(expected.debugDescription); so far: \(transcript.debugDescription)"
        }
    }

    /// All that the terminal has shown.
    private(set) var transcript = ""
    private var seen = "".startIndex
    private let controller: Int32
    private var child = pid_t()
    private var isRunning = true

    /// Starts the program; nothing is paged unless the environment names a pager.
    init(
        _ arguments: [String], in folder: String, environment: [String: String] = [:],
        size: (lines: Int, columns: Int)? = nil
    ) throws {
        let (controller, terminal) = try Self.openTerminal()
        self.controller = controller
        if let size {
            var size = winsize(
                ws_row: UInt16(size.lines), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
        }

        var actions = Self.newFileActions()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session's leader opens becomes its controlling one.
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, terminal, O_RDWR, 0)
        }
        var attributes = Self.newAttributes()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads that tests run on block signals, which a program would inherit.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        var flags = Self.setsid | Int16(POSIX_SPAWN_SETSIGMASK)
        inheritOnlyStreams(&actions, &flags)
        posix_spawnattr_setflags(&attributes, flags)

        let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, TestedBinary.path] + arguments
        let variables = TestedEnvironment(home: folder, more: ["PAGER": "cat"]).variables
            .merging(environment) { $1 }
        var argumentPointers = shell.map { strdup($0) } + [nil]
        var variablePointers = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in argumentPointers + variablePointers { free(pointer) } }
        let code = posix_spawn(&child, shell[0], &actions, &attributes, &argumentPointers, &variablePointers)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    }

    deinit {
        if isRunning {
            kill(child, SIGKILL)
            waitpid(child, nil, 0)
        }
        close(controller)
    }

    /// Waits until the terminal shows a text after the last expected one.
    func expect(_ text: String, seconds: Double = 20) throws {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            if let range = transcript[seen...].range(of: text) {
                seen = range.upperBound
                return
            }
            guard Date() < deadline, read(until: deadline) else {
                throw Timeout(expected: text, transcript: transcript)
            }
        }
    }

    /// Types a text.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(controller, bytes, bytes.count)
    }

    /// Whether the terminal shows what is typed.
    var echoes: Bool {
        var settings = termios()
        return tcgetattr(controller, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    func signal(_ number: Int32) { kill(child, number) }

    /// Waits until the program ends; returns its exit status, or 128 plus the signal that ended it.
    func end(seconds: Double = 20) throws -> Int32 {
        let deadline = Date(timeIntervalSinceNow: seconds)
        var status: Int32 = 0
        while waitpid(child, &status, WNOHANG) == 0 {
            guard Date() < deadline else { throw Timeout(expected: "the end", transcript: transcript) }
            _ = read(until: Date(timeIntervalSinceNow: 0.02))
        }
        isRunning = false
        while read(until: Date(timeIntervalSinceNow: 0.02)) {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// Reads the available output, or waits for some; returns false if there isn't any.
    private func read(until deadline: Date) -> Bool {
        var descriptor = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, Int32(max(0, deadline.timeIntervalSinceNow) * 1000)) > 0 else {
            return false
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = systemRead(controller, &buffer, buffer.count)
        guard count > 0 else { return false }
        let position = transcript.utf8.distance(from: transcript.startIndex, to: seen)
        transcript += String(decoding: buffer[..<count], as: UTF8.self).replacingOccurrences(
            of: "\r\n", with: "\n")
        seen = transcript.utf8.index(transcript.startIndex, offsetBy: position)
        return true
    }
}

// MARK: - Differences between Linux and macOS

extension TerminalSession {
    #if canImport(Glibc)
        /// POSIX_SPAWN_SETSID of spawn.h, which is not visible without _GNU_SOURCE.
        private static let setsid: Int16 = 0x80

        /// Opens a new pseudo-terminal as posix_openpt, grantpt, unlockpt and ptsname do, which are not
        /// visible.
        private static func openTerminal() throws -> (controller: Int32, terminal: String) {
            let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
            let getNumber: UInt = 0x8004_5430  // TIOCGPTN
            var number: Int32 = 0
            guard controller >= 0, ioctl(controller, unlock, &number) == 0,
                ioctl(controller, getNumber, &number) == 0
            else { throw POSIXError(.ENXIO) }
            return (controller, "/dev/pts/\(number)")
        }

        private static func newFileActions() -> posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
        private static func newAttributes() -> posix_spawnattr_t { posix_spawnattr_t() }
    #else
        private static let setsid = Int16(POSIX_SPAWN_SETSID)

        private static func openTerminal() throws -> (controller: Int32, terminal: String) {
            let controller = posix_openpt(O_RDWR | O_NOCTTY)
            guard controller >= 0, grantpt(controller) == 0, unlockpt(controller) == 0,
                let name = ptsname(controller)
            else { throw POSIXError(.ENXIO) }
            return (controller, String(cString: name))
        }

        private static func newFileActions() -> posix_spawn_file_actions_t? { nil }
        private static func newAttributes() -> posix_spawnattr_t? { nil }
    #endif
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
