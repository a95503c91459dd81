#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A program with its arguments, run without a shell and in an environment of its own.
struct Command {
    let program: String
    let arguments: [String]
}

/// A command that could not be started or ended with an error.
struct CommandFailure: Error, CustomStringConvertible {
    let command: Command
    let status: Int32
    /// What the command printed on both streams.
    let output: String

    var description: String {
        let words = [command.program] + command.arguments
        return "\(words.joined(separator: " ")): status \(status)\n\(output)"
    }
}

/// Runs commands one after the other; what they print goes to a file, so that no pipe slows them.
struct CommandRunner {
    /// `NAME=VALUE` entries: all that the commands see of the surroundings.
    let environment: [String]
    let outputFile: String

    /// Runs the commands in turn and returns how long they took together.
    ///
    /// - Throws: ``CommandFailure`` at the first that does not end with 0.
    func time(_ commands: [Command]) throws -> Duration {
        var total = Duration.zero
        for command in commands { total += try time(command) }
        return total
    }

    private func time(_ command: Command) throws -> Duration {
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
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        let duration = clock.now - start
        guard status == 0 else {
            throw CommandFailure(command: command, status: status, output: try readText(outputFile))
        }
        return duration
    }
}
