internal import Platform

/// One of the streams that the process was started with, or an open file.
struct Stream: Sendable {
    let descriptor: Int32
    /// The stream's name in messages.
    let name: String
    /// The progress line to erase before each write; nil without progress reports.
    var progress: ProgressLine?

    init(descriptor: Int32, name: String) { (self.descriptor, self.name) = (descriptor, name) }

    /// A stream that discards what is written to it.
    static let none = Stream(descriptor: -1, name: "no stream")

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The width of the terminal in columns; nil if the stream isn't a terminal.
    var terminalWidth: Int? { terminalSize.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

    /// The height of the terminal in lines; nil if the stream isn't a terminal.
    var terminalHeight: Int? { terminalSize.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

    private var terminalSize: winsize? {
        guard isTerminal else { return nil }
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes all bytes.
    ///
    /// If the reader is gone (`todosync list | head -1`), the signal SIGPIPE ends the process silently.
    func write(_ bytes: [UInt8]) throws {
        guard let progress else { return try writeAll(bytes) }
        try progress.interrupt { try writeAll(bytes) }
    }

    private func writeAll(_ bytes: [UInt8]) throws {
        if descriptor < 0 { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                throw Failure(.cannotReadOrWrite, "can't write \(name)", code: errno)
            }
        }
    }

    /// Writes text that is not worth an error if it can't be written, such as a warning.
    func writeIgnoringErrors(_ text: String) { writeIgnoringErrors(Array(text.utf8)) }

    func writeIgnoringErrors(_ bytes: [UInt8]) { try? write(bytes) }

    /// Writes a line for people; a terminal's lines are broken between words.
    func writeMessage(_ line: String) { writeIgnoringErrors(fitted(line, width: terminalWidth) + "\n") }

    /// Reads a line without its line feed; returns nil at the end of the input.
    ///
    /// This reads byte by byte, so that programs that start later can read what follows the line.
    func readLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count == 1 {
                if byte == UInt8(ascii: "\n") { break }
                line.append(byte)
            } else if count == 0 || errno != EINTR {
                if line.isEmpty { return nil }
                break
            }
        }
        return String(decoding: line, as: UTF8.self)
    }
}

extension Stream {
    /// Reads the rest of the input.
    ///
    /// - Returns: Nil if it has more bytes than the limit.
    func readToEnd(limit: Int) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer[..<count]
                if bytes.count > limit { return nil }
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                throw Failure(.cannotReadOrWrite, "can't read \(name)", code: errno)
            }
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
