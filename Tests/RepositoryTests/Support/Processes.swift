import Foundation
import TestSupport

/// The folder with the build products: the test bundle, and the executables beside it.
let buildFolder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent()

/// Runs a program to its end; returns its exit status and its output on both streams.
func run(_ program: URL, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let ended = try ChildProcess.run([program.path] + arguments)
    return (ended.status, String(decoding: ended.output + ended.errors, as: UTF8.self))
}
