internal import Platform

/// A program with its arguments, run without a shell and with a given environment.
struct Command {
    let program: String
    let arguments: [String]
    /// The expected exit status: 1 if the run leaves conflicts.
    var status: Int32 = 0
}

/// The cost of commands.
struct Effort {
    var duration = Duration.zero
    /// The peak memory of the largest process in bytes, including shared pages.
    ///
    /// On Linux, it is at least this process's memory, because a new process starts as a copy of it.
    var peakMemory = 0

    static func + (first: Effort, second: Effort) -> Effort {
        Effort(
            duration: first.duration + second.duration,
            peakMemory: max(first.peakMemory, second.peakMemory))
    }
}

/// A command could not be started, or ended with an error.
struct CommandFailure: Error, CustomStringConvertible {
    let command: Command
    let status: Int32
    /// The command's output on both streams.
    let output: String

    var description: String {
        let words = [command.program] + command.arguments
        return "\(words.joined(separator: " ")): status \(status)\n\(output)"
    }
}

/// Runs commands one after another.
///
/// Their output goes to a file, so that no pipe slows them down.
struct CommandRunner {
    /// The whole environment of the commands, as `NAME=VALUE` entries.
    let environment: [String]
    let outputFile: String

    /// Runs the commands in turn, and returns their total cost.
    ///
    /// - Throws: ``CommandFailure`` if a command ends with an unexpected status.
    @discardableResult
    func run(_ commands: [Command]) throws -> Effort {
        try commands.reduce(Effort()) { try $0 + run($1) }
    }

    private func run(_ command: Command) throws -> Effort {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &files, STDOUT_FILENO, outputFile, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO)
        let arguments = ([command.program] + command.arguments).map { strdup($0) }
        let variables = environment.map { strdup($0) }
        defer { for pointer in arguments + variables { free(pointer) } }

        var child = pid_t()
        let clock = ContinuousClock()
        let start = clock.now
        let code = posix_spawn(&child, command.program, &files, nil, arguments + [nil], variables + [nil])
        guard code == 0 else {
            throw CommandFailure(command: command, status: code, output: String(cString: strerror(code)))
        }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(child, &status, 0, &usage) < 0 && errno == EINTR {}
        let duration = clock.now - start
        guard status == command.status << 8 else {
            throw CommandFailure(command: command, status: status, output: try readText(outputFile))
        }
        return Effort(duration: duration, peakMemory: usage.peakMemory)
    }
}

extension rusage {
    /// In bytes.
    fileprivate var peakMemory: Int {
        #if canImport(Glibc)
            ru_maxrss * 1024
        #else
            ru_maxrss
        #endif
    }
}
