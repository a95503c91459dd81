import TestSupport

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

    /// Runs a shell's command line; the output includes standard error, in the order of writing.
    static func shell(_ command: String, in folder: String, environment: TestedEnvironment) throws -> Result {
        try run("/bin/sh", ["-c", "exec 2>&1\n" + command], in: folder, environment.variables)
    }

    private static func run(
        _ path: String, _ arguments: [String], in folder: String, _ environment: [String: String]
    ) throws -> Result {
        let variables = TestedEnvironment(home: folder).variables.merging(environment) { $1 }
        let ended = try ChildProcess.run([path] + arguments, in: folder, environment: variables)
        return Result(
            status: ended.status, output: String(decoding: ended.output, as: UTF8.self),
            errors: String(decoding: ended.errors, as: UTF8.self))
    }
}
