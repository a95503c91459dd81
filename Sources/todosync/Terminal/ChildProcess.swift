internal import Platform

/// A program that runs in the foreground with this process's environment and standard error.
struct ChildProcess {
    let arguments: [String]
    /// The program's name in error messages.
    let name: String

    /// Runs the program with this process's input and output and returns its exit status; -1 if a signal
    /// ended it.
    ///
    /// While the program runs, it gets Ctrl-C, as with git, and any signal that asks this process to end.
    func run() throws -> Int32 { try ignoringInterrupts { try waitInForeground(for: start()) } }

    /// Runs the program with its own input and returns its exit status and output.
    ///
    /// - Parameters:
    ///   - input: The input; at most 4 KiB, so that it fits into a pipe.
    ///   - limit: The number of bytes that the program may write.
    ///   - silence: The seconds that the program may print nothing, or run after it closes its output.
    /// - Throws: A ``Failure`` if the program can't be started or exceeds these limits, or
    ///   `CancellationError` if a signal asks this command to end. The program is then killed.
    func run(
        input: [UInt8], limit: Int = 65_536, silence: Int32 = 120
    ) throws -> (status: Int32, output: [UInt8]) {
        precondition(input.count <= 4096, "a pipe takes 4 KiB without a reader")
        let (toChild, fromChild) = (try Pipe(name), try Pipe(name))
        // If the program doesn't read its input, this process must not end.
        let previous = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, previous) }
        let child = try start(input: toChild, output: fromChild)
        close(toChild.reading)
        close(fromChild.writing)
        Stream(descriptor: toChild.writing, name: name).writeIgnoringErrors(input)
        close(toChild.writing)
        defer { close(fromChild.reading) }
        do {
            let output = try read(fromChild.reading, limit: limit, silence: silence)
            return (try wait(for: child, seconds: silence), output)
        } catch {
            kill(child, SIGKILL)
            _ = wait(for: child)
            throw error
        }
    }

    private func read(_ descriptor: Int32, limit: Int, silence: Int32) throws -> [UInt8] {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            guard try isReadable(descriptor, within: silence) else {
                throw Failure(
                    .configuration, "\(visible(name)) did not respond within \(silence) seconds")
            }
            let count = systemRead(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return output }
            output += buffer[..<count]
            guard output.count <= limit else {
                throw Failure(.configuration, "\(visible(name)) printed more than \(limit) bytes")
            }
        }
    }

    private func isReadable(_ descriptor: Int32, within seconds: Int32) throws -> Bool {
        for _ in 0..<(seconds * 1000 / Interruption.pause) {
            if Interruption.status != nil { throw CancellationError() }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, Interruption.pause) > 0 { return true }
        }
        return false
    }

    struct Pipe {
        let reading: Int32
        let writing: Int32

        init(_ name: String) throws {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else {
                throw Failure(
                    .cannotReadOrWrite, "\(visible(name)) can't be started: \(systemErrorWords(errno))")
            }
            (reading, writing) = (ends[0], ends[1])
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
    }

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - input: The program's input; nil for that of this process.
    ///   - output: The program's output; nil for that of this process.
    ///   - isInOwnGroup: Whether the program gets its own process group, which Ctrl-C doesn't reach and which
    ///     can be killed as a whole.
    func start(input: Pipe? = nil, output: Pipe? = nil, isInOwnGroup: Bool = false) throws -> pid_t {
        #if canImport(Glibc)
            var attributes = posix_spawnattr_t()
            var actions = posix_spawn_file_actions_t()
        #else
            var attributes: posix_spawnattr_t?
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var interactive = sigset_t()
        sigemptyset(&interactive)
        for signal in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&interactive, signal) }
        posix_spawnattr_setsigdefault(&attributes, &interactive)
        // Threads for asynchronous work block signals, including that of Ctrl-C.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(
            &attributes, Int16(isInOwnGroup ? flags | POSIX_SPAWN_SETPGROUP : flags))
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO) }
        if let output { posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO) }
        let pointers = arguments.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        let code = posix_spawn(&child, arguments[0], &actions, &attributes, pointers + [nil], environ)
        guard code == 0 else {
            throw Failure(
                .cannotReadOrWrite, "\(visible(name)) can't be started: \(systemErrorWords(code))")
        }
        return child
    }

    func ignoringInterrupts<Result>(_ body: () throws -> Result) rethrows -> Result {
        let interrupt = signal(SIGINT, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        defer {
            signal(SIGINT, interrupt)
            signal(SIGQUIT, quit)
        }
        return try body()
    }

    private func wait(for child: pid_t, seconds: Int32) throws -> Int32 {
        let pause: Int32 = 5
        for _ in 0...(seconds * 1000 / pause) {
            var status: Int32 = 0
            if waitpid(child, &status, WNOHANG) != 0 { return Self.exitStatus(status) }
            if Interruption.status != nil { throw CancellationError() }
            poll(nil, 0, pause)
        }
        throw Failure(.configuration, "\(visible(name)) did not end within \(seconds) seconds")
    }

    func waitInForeground(for child: pid_t) -> Int32 {
        var status: Int32 = 0
        var isSignaled = false
        while waitpid(child, &status, WNOHANG) == 0 {
            if let signal = Interruption.signal, !isSignaled {
                isSignaled = true
                kill(child, signal)
            }
            poll(nil, 0, 10)
        }
        return Self.exitStatus(status)
    }

    private func wait(for child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return Self.exitStatus(status)
    }

    static func exitStatus(_ status: Int32) -> Int32 {
        // The lowest seven bits are the signal that ended the program; the eight above them are its exit
        // status.
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }
}

func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
