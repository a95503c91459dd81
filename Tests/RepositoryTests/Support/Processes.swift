import Foundation
import TestSupport

/// The folder that holds what was built: the test bundle, and beside it the executables.
let buildFolder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent()

/// Runs a program to its end; returns its exit status and what it printed on both streams.
func run(_ program: URL, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let ended = try ChildProcess.run([program.path] + arguments)
    return (ended.status, String(decoding: ended.output + ended.errors, as: UTF8.self))
}
