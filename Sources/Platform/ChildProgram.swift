/// A program that this process starts.
package struct ChildProgram: Sendable {
    /// The variables that the program gets.
    package enum Environment: Sendable {
        /// Those of this process.
        case inherited
        /// Variables as `NAME=value`.
        case only([String])
    }

    /// The reason why a program gave no answer.
    package enum Problem: Error, Hashable {
        /// The system couldn't start it; the value is the `errno`.
        case cannotStart(code: Int32)
        case timedOut
        case gaveTooMuch
        /// This process was asked to end.
        case interrupted
    }

    /// The program's name, which is looked up in `PATH`, or its path; and its arguments.
    package let words: [String]
    package let environment: Environment
    /// Whether the program gets its own process group, which Ctrl-C doesn't reach and which is killed as a
    /// whole.
    package let isInOwnGroup: Bool

    package init(_ words: [String], _ environment: Environment, isInOwnGroup: Bool) {
        (self.words, self.environment, self.isInOwnGroup) = (words, environment, isInOwnGroup)
    }

    /// The exit status, or -1 if a signal ended the program, and what the program printed.
    package typealias Answer = (status: Int32, output: [UInt8], errors: [UInt8])

    /// Runs the program with an input of any size, which it doesn't have to read, and within limits.
    ///
    /// It doesn't wait for processes that the program leaves behind. If the program exceeds a limit, it is
    /// killed.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes that the program may print.
    ///   - time: The time that the program may run.
    ///   - readsErrors: Whether the result has the standard error; otherwise, it is that of this process.
    ///   - isInterrupted: Returns whether this process was asked to end.
    package func run(
        _ input: [UInt8], limit: Int, time: Duration, readsErrors: Bool = false,
        isInterrupted: () -> Bool = { false }
    ) throws(Problem) -> Answer {
        let deadline = ContinuousClock.now + time
        // If the program doesn't read its input, this process must not end.
        let previous = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, previous) }
        var exchange = try Exchange(input, readsErrors: readsErrors)
        defer { exchange.closeAll() }
        let child = try start(
            input: exchange.toChild.reading, output: exchange.fromChild.writing,
            errors: readsErrors ? exchange.errors.writing : nil)
        exchange.begin()
        var problem = Problem.timedOut
        while ContinuousClock.now < deadline {
            if isInterrupted() {
                problem = .interrupted
                break
            }
            // This doesn't wait for the output to close, because a process left behind can keep it open.
            var status: Int32 = 0
            let hasEnded = waitpid(child, &status, WNOHANG) == child
            exchange.proceed(isWaiting: !hasEnded)
            if exchange.printed.count + exchange.complaints.count > limit {
                problem = .gaveTooMuch
                if hasEnded { throw problem }
                break
            }
            if hasEnded {
                return (Self.exitStatus(status), exchange.printed, exchange.complaints)
            }
        }
        kill(isInOwnGroup ? -child : child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        throw problem
    }

    /// Starts the program, and returns its process id.
    ///
    /// - Parameters:
    ///   - input: The program's input; nil for that of this process. The same applies to `output` and
    ///     `errors`.
    package func start(
        input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil
    ) throws(Problem) -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (descriptor, standard) in [
            (input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO),
        ] {
            if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, standard) }
        }
        // Threads for asynchronous work block signals, including that of Ctrl-C.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(isInOwnGroup ? flags | POSIX_SPAWN_SETPGROUP : flags))
        let arguments = words.map { strdup($0) }
        var variables: [UnsafeMutablePointer<CChar>?] = []
        if case .only(let given) = environment { variables = given.map { strdup($0) } }
        defer { for pointer in arguments + variables { free(pointer) } }
        var child = pid_t()
        let code: Int32
        switch environment {
        case .inherited:
            code = posix_spawnp(&child, words[0], &actions, &attributes, arguments + [nil], environ)
        case .only:
            code = posix_spawnp(
                &child, words[0], &actions, &attributes, arguments + [nil], variables + [nil])
        }
        guard code == 0 else { throw .cannotStart(code: code) }
        return child
    }

    /// Returns the exit status in what `waitpid` reports; -1 if a signal ended the program.
    package static func exitStatus(_ status: Int32) -> Int32 {
        // The lowest seven bits are the signal that ended the program; the eight above them are its exit
        // status.
        status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }
}

/// A pipe that programs don't inherit.
package struct ChildPipe: Sendable {
    package private(set) var reading: Int32 = -1
    package private(set) var writing: Int32 = -1

    package init() throws(ChildProgram.Problem) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .cannotStart(code: errno) }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    fileprivate init(closed: Void) {}

    package mutating func closeReading() { Self.close(&reading) }

    package mutating func closeWriting() { Self.close(&writing) }

    fileprivate mutating func close() {
        closeReading()
        closeWriting()
    }

    private static func close(_ descriptor: inout Int32) {
        if descriptor >= 0 { systemClose(descriptor) }
        descriptor = -1
    }
}

/// The pipes to a program and the bytes that went through them.
private struct Exchange {
    private(set) var toChild: ChildPipe
    private(set) var fromChild: ChildPipe
    private(set) var errors: ChildPipe
    private var rest: ArraySlice<UInt8>
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    /// What the program printed so far, to its output and to its standard error.
    private(set) var printed: [UInt8] = []
    private(set) var complaints: [UInt8] = []

    init(_ input: [UInt8], readsErrors: Bool) throws(ChildProgram.Problem) {
        rest = input[...]
        (toChild, fromChild, errors) = (
            ChildPipe(closed: ()), ChildPipe(closed: ()), ChildPipe(closed: ())
        )
        do throws(ChildProgram.Problem) {
            toChild = try ChildPipe()
            fromChild = try ChildPipe()
            if readsErrors { errors = try ChildPipe() }
        } catch {
            closeAll()
            throw error
        }
        for end in [toChild.writing, fromChild.reading, errors.reading] where end >= 0 {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    /// Closes the program's ends, which the program has now.
    mutating func begin() {
        toChild.closeReading()
        fromChild.closeWriting()
        errors.closeWriting()
        if rest.isEmpty { toChild.closeWriting() }
    }

    /// Writes and reads as much as possible without blocking.
    ///
    /// - Parameter isWaiting: Whether to wait a moment until something is possible.
    mutating func proceed(isWaiting: Bool) {
        // The system ignores negative descriptors.
        var ends = [
            pollfd(fd: toChild.writing, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: fromChild.reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0),
        ]
        // Without pipes, this waits only for the program's end, which poll can't report.
        let pause: Int32 = ends.allSatisfy { $0.fd < 0 } ? 1 : 50
        poll(&ends, nfds_t(ends.count), isWaiting ? pause : 0)
        write()
        // When the program has ended, everything that it wrote is in the pipes.
        repeat {} while Self.read(&fromChild, &printed, &buffer) && !isWaiting
        repeat {} while Self.read(&errors, &complaints, &buffer) && !isWaiting
    }

    private mutating func write() {
        guard toChild.writing >= 0 else { return }
        let count = rest.withUnsafeBytes { systemWrite(toChild.writing, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) }
        let isOver = count < 0 && errno != EAGAIN && errno != EINTR
        if isOver || rest.isEmpty { toChild.closeWriting() }
    }

    /// Returns whether there was something to read.
    private static func read(_ pipe: inout ChildPipe, _ bytes: inout [UInt8], _ buffer: inout [UInt8]) -> Bool
    {
        guard pipe.reading >= 0 else { return false }
        let count = systemRead(pipe.reading, &buffer, buffer.count)
        if count > 0 {
            bytes += buffer[..<count]
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            pipe.closeReading()
        }
        return count > 0
    }

    mutating func closeAll() {
        toChild.close()
        fromChild.close()
        errors.close()
    }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

private func systemClose(_ descriptor: Int32) { close(descriptor) }
