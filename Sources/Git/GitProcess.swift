internal import Platform

/// Runs git's plumbing commands, each within a time limit.
///
/// Only ``configure(_:as:)`` changes anything.
///
/// The commands don't run programs that the repository's configuration names, fetch anything, take locks to
/// read, or prompt. A configuration that came with a repository is as untrusted as its files.
package final class GitProcess {
    /// The reason why git couldn't answer.
    package enum Failure: Error, Hashable, Sendable {
        /// The `PATH` contains no `git`.
        case notInstalled
        case timedOut
        /// Git failed; the text is the line that it printed.
        case failed(String)
    }

    let repository: Repository
    private let environment: [String]
    private let timeLimit: Duration
    /// Whether a process exceeded the time limit; git isn't asked again then.
    private var hasTimedOut = false

    /// The time limit for each git process.
    package static let timeLimit = Duration.seconds(2)
    /// The maximum size of an answer in bytes.
    private static let maximumAnswer = 256 << 20

    /// The environment variables that are passed to git: they locate its programs, its configuration and the
    /// repository.
    package static let variables =
        locations + [
            "PATH", "HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME", "SUDO_UID", "TMPDIR", "GIT_EXEC_PATH",
            "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
        ]

    /// - Parameter environment: The values of ``variables``.
    package init(
        _ repository: Repository, environment: [String: String], timeLimit: Duration = GitProcess.timeLimit
    ) {
        self.repository = repository
        self.timeLimit = timeLimit
        self.environment = Self.environment(environment, repository)
    }

    /// Settings that keep git from running programs or fetching; they override the repository's.
    private static let settings = [
        "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.untrackedCache=false",
        "protocol.allow=never", "gc.auto=0", "maintenance.auto=false", "log.showSignature=false",
        "core.quotePath=false", "core.alternateRefsCommand=", "diff.external=",
    ]

    /// The variables that select a repository other than the one that git would find.
    private static let locations = [
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    ]

    private static func environment(_ given: [String: String], _ repository: Repository) -> [String] {
        var variables = given.filter { self.variables.contains($0.key) && !locations.contains($0.key) }
        // Git sets these variables for hooks, with paths relative to the top folder. They apply only if they
        // name this folder's repository.
        let isNamed = given["GIT_DIR"].map { isSame($0, as: repository.gitDirectory, repository) } ?? false
        if isNamed {
            for name in locations {
                variables[name] = given[name].map { $0.hasPrefix("/") ? $0 : repository.top + "/" + $0 }
            }
        }
        if isNamed || repository.isSeparate {
            variables["GIT_DIR"] = repository.gitDirectory
            variables["GIT_WORK_TREE"] = repository.top
        }
        variables["GIT_OPTIONAL_LOCKS"] = "0"
        variables["GIT_NO_LAZY_FETCH"] = "1"
        variables["GIT_TERMINAL_PROMPT"] = "0"
        variables["GIT_ALLOW_PROTOCOL"] = ""
        variables["GIT_PAGER"] = "cat"
        variables["LC_ALL"] = "C"
        return variables.map { "\($0.key)=\($0.value)" }
    }

    private static func isSame(_ path: String, as directory: String, _ repository: Repository) -> Bool {
        let absolute = path.hasPrefix("/") ? path : repository.top + "/" + path
        var (first, second) = (stat(), stat())
        return stat(absolute, &first) == 0 && stat(directory, &second) == 0 && first.st_ino == second.st_ino
            && first.st_dev == second.st_dev
    }

    /// Runs a git command in the worktree's top folder.
    ///
    /// - Parameters:
    ///   - input: What the command reads from its standard input.
    ///   - accepted: The exit statuses that don't count as failures.
    /// - Returns: The exit status and the output.
    func run(
        _ arguments: [String], input: [UInt8] = [], accepted: Set<Int32> = [0]
    ) throws(Failure) -> (status: Int32, output: [UInt8]) {
        if hasTimedOut { throw .timedOut }
        let words =
            ["git", "-C", repository.top] + Self.settings.flatMap { ["-c", $0] } + ["--no-pager"] + arguments
        guard let child = Child(words, environment) else { throw .notInstalled }
        let deadline = ContinuousClock.now + timeLimit
        let (status, output, errors): (Int32, [UInt8], [UInt8])
        do throws(Failure) {
            (output, errors) = try child.exchange(input, until: deadline, limit: Self.maximumAnswer)
            status = try child.wait(until: deadline)
        } catch {
            hasTimedOut = error == .timedOut
            throw error
        }
        guard accepted.contains(status) else {
            // A shell and posix_spawn use this status for a program that can't be started.
            if status == 127 { throw .notInstalled }
            let lines = String(decoding: errors, as: UTF8.self).split(separator: "\n")
            let line = lines.first { $0.hasPrefix("fatal: ") } ?? lines.first ?? ""
            throw .failed(String(line))
        }
        return (status, output)
    }
}

/// A running program, with pipes to its standard streams.
private final class Child {
    private let identifier: pid_t
    private var input: Int32
    private var output: Int32
    private var errors: Int32
    private var hasEnded = false

    init?(_ words: [String], _ environment: [String]) {
        guard let input = pipeEnds(), let output = pipeEnds(), let errors = pipeEnds() else { return nil }
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
        posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors.writing, STDERR_FILENO)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // todosync handles Ctrl-C, and then decides whether to stop git.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let arguments = words.map { strdup($0) }
        let variables = environment.map { strdup($0) }
        defer { for pointer in arguments + variables { free(pointer) } }
        var child = pid_t()
        let code = posix_spawnp(&child, words[0], &actions, &attributes, arguments + [nil], variables + [nil])
        for end in [input.reading, output.writing, errors.writing] { systemClose(end) }
        identifier = child
        (self.input, self.output, self.errors) = (input.writing, output.reading, errors.reading)
        guard code == 0 else {
            hasEnded = true
            return nil
        }
        for end in [self.input, self.output, self.errors] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        if !hasEnded { end() }
        for end in [input, output, errors] where end >= 0 { systemClose(end) }
    }

    /// Writes the input while reading both outputs, so that no pipe blocks the others.
    func exchange(
        _ bytes: [UInt8], until deadline: ContinuousClock.Instant, limit: Int
    ) throws(GitProcess.Failure) -> (output: [UInt8], errors: [UInt8]) {
        // This process must not be killed if git doesn't read its input.
        let previous = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, previous) }
        var rest = bytes[...]
        var (printed, complaints): ([UInt8], [UInt8]) = ([], [])
        while output >= 0 || errors >= 0 {
            if rest.isEmpty, input >= 0 { Self.close(&input) }
            var waiting = [
                pollfd(fd: output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
            ]
            let left = ContinuousClock.now.duration(to: deadline).milliseconds
            guard left > 0, poll(&waiting, 3, Int32(clamping: left)) != 0 else {
                end()
                throw .timedOut
            }
            if waiting[0].revents != 0 { read(&output, &printed) }
            if waiting[1].revents != 0 { read(&errors, &complaints) }
            if waiting[2].revents != 0 { write(&rest) }
            guard printed.count <= limit else {
                end()
                throw .failed("git's output is too large")
            }
        }
        return (printed, complaints)
    }

    private func read(_ descriptor: inout Int32, _ bytes: inout [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = systemRead(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        if count > 0 { bytes += buffer[..<count] } else { Self.close(&descriptor) }
    }

    private func write(_ rest: inout ArraySlice<UInt8>) {
        let count = rest.withUnsafeBytes { systemWrite(input, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        if count > 0 { rest = rest.dropFirst(count) } else { rest = [] }
    }

    func wait(until deadline: ContinuousClock.Instant) throws(GitProcess.Failure) -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, WNOHANG) == 0 {
            guard ContinuousClock.now < deadline else {
                end()
                throw .timedOut
            }
            poll(nil, 0, 1)
        }
        hasEnded = true
        // The lowest seven bits are the signal that ended the program; the next eight are its exit status.
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }

    private func end() {
        hasEnded = true
        kill(-identifier, SIGKILL)
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    }

    private static func close(_ descriptor: inout Int32) {
        if descriptor >= 0 { systemClose(descriptor) }
        descriptor = -1
    }
}

private func pipeEnds() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

private func systemClose(_ descriptor: Int32) { close(descriptor) }

extension Duration {
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
