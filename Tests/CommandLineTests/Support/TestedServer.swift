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
/// - Parameter keys: Whether the server has a key, which may write to the table `todoitem`; without a key,
///   everybody may do everything.
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
    let server = try ServerProcess(in: scratch, environment: ProcessInfo.processInfo.environment)
    try await body(TestedServer(folder: scratch.path, url: server.url, key: key))
}
