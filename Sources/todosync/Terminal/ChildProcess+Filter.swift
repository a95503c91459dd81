internal import Platform

extension ChildProcess {
    /// The reason why a filter gave no answer.
    enum FilterProblem: Error {
        case timedOut
        case gaveTooMuch
    }

    /// Runs the program as a filter, with an input of any size and with limits.
    ///
    /// The program gets its own process group. If it exceeds a limit, or if a signal asks this command to
    /// end, the whole group is killed. The program doesn't have to read its input.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes that the program may write.
    ///   - time: The time that the program may run.
    /// - Throws: A ``FilterProblem``, a ``Failure`` if the program can't be started, or `CancellationError`.
    func filter(
        _ input: [UInt8], limit: Int, time: Duration
    ) throws -> (status: Int32, output: [UInt8]) {
        let result = try runFilter(input, limit: limit, time: time)
        guard result.output.count <= limit else { throw FilterProblem.gaveTooMuch }
        return result
    }

    private func runFilter(
        _ input: [UInt8], limit: Int, time: Duration
    ) throws -> (status: Int32, output: [UInt8]) {
        let deadline = ContinuousClock.now + time
        let (toChild, fromChild) = (try Pipe(name), try Pipe(name))
        // If the program doesn't read its input, this process must not end.
        let previous = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, previous) }
        let child = try start(input: toChild, output: fromChild, isInOwnGroup: true)
        close(toChild.reading)
        close(fromChild.writing)
        var exchange = FilterExchange(input: input, writing: toChild.writing, reading: fromChild.reading)
        defer { exchange.close() }
        do {
            while true {
                if Interruption.status != nil { throw CancellationError() }
                guard ContinuousClock.now < deadline else { throw FilterProblem.timedOut }
                // This doesn't wait for the output to close, because a process left behind can keep it open.
                var status: Int32 = 0
                let hasEnded = waitpid(child, &status, WNOHANG) == child
                exchange.proceed(isWaiting: !hasEnded)
                if hasEnded { return (Self.exitStatus(status), exchange.output) }
                if exchange.output.count > limit { throw FilterProblem.gaveTooMuch }
            }
        } catch {
            kill(-child, SIGKILL)
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0 && errno == EINTR {}
            throw error
        }
    }
}

/// The two pipes to a filter and the bytes that went through them.
private struct FilterExchange {
    private let input: [UInt8]
    private var written = 0
    private var writing: Int32?
    private var reading: Int32?
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    /// The program's output so far.
    private(set) var output: [UInt8] = []

    init(input: [UInt8], writing: Int32, reading: Int32) {
        self.input = input
        (self.writing, self.reading) = (writing, reading)
        for end in [writing, reading] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        if input.isEmpty { closeInput() }
    }

    /// Writes and reads as much as possible without blocking.
    ///
    /// - Parameter isWaiting: Whether to wait a moment until something is possible.
    mutating func proceed(isWaiting: Bool) {
        var ends = [pollfd]()
        if let writing { ends.append(pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)) }
        if let reading { ends.append(pollfd(fd: reading, events: Int16(POLLIN), revents: 0)) }
        // Without pipes, this waits only for the program's end, which poll can't report.
        poll(&ends, nfds_t(ends.count), isWaiting ? (ends.isEmpty ? 5 : Interruption.pause) : 0)
        writeInput()
        // When the program has ended, everything that it wrote is in the pipe.
        repeat {} while readOutput() && !isWaiting
    }

    private mutating func writeInput() {
        guard let writing else { return }
        let count = input[written...].withUnsafeBytes { systemWrite(writing, $0.baseAddress, $0.count) }
        if count > 0 { written += count }
        let isOver = count < 0 && errno != EAGAIN && errno != EINTR
        if isOver || written == input.count { closeInput() }
    }

    /// Returns whether there was something to read.
    private mutating func readOutput() -> Bool {
        guard let reading else { return false }
        let count = systemRead(reading, &buffer, buffer.count)
        if count > 0 {
            output += buffer[..<count]
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            systemClose(reading)
            self.reading = nil
        }
        return count > 0
    }

    private mutating func closeInput() {
        if let writing { systemClose(writing) }
        writing = nil
    }

    mutating func close() {
        closeInput()
        if let reading { systemClose(reading) }
        reading = nil
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

private func systemClose(_ descriptor: Int32) { close(descriptor) }
