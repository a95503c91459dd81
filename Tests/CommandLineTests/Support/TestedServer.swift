import Foundation
import Testing

/// A server that runs as a process while a test talks to it.
struct TestedServer {
    let folder: String
    let url: String
    /// Empty for a server without keys.
    let key: String
}

/// Runs a test with a server, which ends with the test.
///
/// - Parameter keys: whether it has a key, which may write to the table `todoitem`; without one all may do
///   all.
func withServer(keys: Bool = true, _ body: (TestedServer) async throws -> Void) async throws {
    let scratch = try ThrowAwayFolder()
    let made = try Program.todosync("init", "--bare", "store", in: scratch.path)
    try #require(made.status == 0, "\(made.errors)")
    var key = ""
    if keys {
        let added = try Program.todosync(
            "serve", "key", "add", "app", "--table", "todoitem", "--access", "write", "--store", "store",
            in: scratch.path)
        key = String(try #require(added.output.split(separator: "\n").last))
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: TestedBinary.path)
    process.arguments = ["serve", "--store", "store", "--listen", "127.0.0.1:0"]
    process.currentDirectoryURL = URL(fileURLWithPath: scratch.path)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
        process.terminate()
        process.waitUntilExit()
    }
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
        let more = output.fileHandleForReading.availableData
        try #require(!more.isEmpty, "the server ended")
        line += more
    }
    let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
    let url = try #require(text.split(separator: " ").last)
    try await body(TestedServer(folder: scratch.path, url: String(url), key: key))
}
