import Foundation

/// A run of the program under test, or of a shell that calls it.
enum Program {
    struct Result: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs `todosync` without a terminal.
    static func todosync(_ arguments: String..., in folder: String, environment: [String: String] = [:])
        throws -> Result
    {
        try todosync(arguments, in: folder, environment: environment)
    }

    /// Runs `todosync` without a terminal.
    static func todosync(
        _ arguments: [String], in folder: String, environment: [String: String] = [:]
    ) throws -> Result {
        try run(TestedBinary.path, arguments, in: folder, environment)
    }

    /// Runs a shell's command line; what goes to standard error stands in the output, where it was written.
    static func shell(_ command: String, in folder: String, environment: TestedEnvironment) throws -> Result {
        try run("/bin/sh", ["-c", "exec 2>&1\n" + command], in: folder, environment.variables)
    }

    private static func run(
        _ path: String, _ arguments: [String], in folder: String, _ environment: [String: String]
    ) throws -> Result {
        // Files take any amount of output without a second thread to read it.
        let scratch = try ThrowAwayFolder()
        let variables = TestedEnvironment(home: folder).variables.merging(environment) { $1 }
        let status = try spawn(
            [path] + arguments, in: folder, variables.map { "\($0.key)=\($0.value)" },
            output: scratch.path + "/output", errors: scratch.path + "/errors")
        return Result(status: status, output: try scratch.read("output"), errors: try scratch.read("errors"))
    }

    /// Runs a program and waits for it alone: Foundation's `Process` waits for what it leaves in the
    /// background, too.
    private static func spawn(
        _ words: [String], in folder: String, _ variables: [String], output: String, errors: String
    ) throws -> Int32 {
        #if canImport(Glibc)
            var files = posix_spawn_file_actions_t()
        #else
            var files: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        #if canImport(Glibc)
            var attributes = posix_spawnattr_t()
        #else
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The tests' own sockets have them ignore it, and what is ignored stays so.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        // A shell changes the folder, as not every system's spawn can.
        let shell = ["/bin/sh", "-c", #"cd -- "$0" && exec "$@""#, folder]
        let arguments = (shell + words).map { strdup($0) }
        let variables = variables.map { strdup($0) }
        defer { for pointer in arguments + variables { free(pointer) } }
        var process = pid_t()
        let code = posix_spawn(&process, shell[0], &files, &attributes, arguments + [nil], variables + [nil])
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        // What wait(2) tells: a signal in the lower seven bits, or none and the status in the next eight.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}
