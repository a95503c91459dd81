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
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = TestedEnvironment(home: folder).variables.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        // Files take any amount of output without a second thread to read it.
        let scratch = try ThrowAwayFolder()
        let outputs = try ["output", "errors"].map { name in
            try scratch.write("", to: name)
            return try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.path + "/" + name))
        }
        process.standardOutput = outputs[0]
        process.standardError = outputs[1]
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationReason == .exit
                ? process.terminationStatus : 128 + process.terminationStatus,
            output: try scratch.read("output"), errors: try scratch.read("errors"))
    }
}
