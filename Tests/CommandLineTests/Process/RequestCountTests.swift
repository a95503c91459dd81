import Foundation
import TestSupport
import Testing

/// The number of requests that commands send, as the server counts them.
@Suite(.ownThreads) struct RequestCountTests {
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "there is no curl"))
    func `one request brings the news, and one sends what is pending`() async throws {
        try await withServer(keys: false) { server in
            func requests(_ arguments: String..., in name: String) throws -> Int {
                let before = try count(server)
                let result = try Program.todosync(
                    arguments, in: server.folder + "/" + name, environment: ["HOME": server.folder])
                try #require(result.status == 0, "\(arguments): \(result.errors)")
                return try count(server) - before
            }
            for name in ["one", "other"] {
                let clone = try Program.todosync(
                    "clone", server.url + "/tables/todoitem", name, in: server.folder)
                try #require(clone.status == 0, "\(clone.errors)")
            }
            for number in 0..<3 {
                try "text: todo \(number)\n".write(
                    toFile: server.folder + "/one/\(number).yaml", atomically: true, encoding: .utf8)
            }
            #expect(try requests("sync", in: "one") == 2)
            #expect(try requests("sync", in: "one") == 1)
            #expect(try requests("sync", in: "one") == 1)
            #expect(try requests("pull", in: "other") == 1)
            #expect(try requests("pull", in: "other") == 1)
            #expect(try requests("set", "0.yaml", "notes=x", in: "one") == 0)
            #expect(try requests("push", "--dry-run", in: "one") == 1)
            #expect(try requests("push", in: "one") == 2)
            #expect(try requests("push", in: "one") == 1)
            #expect(try requests("set", "1.yaml", "notes=y", in: "other") == 0)
            #expect(try requests("sync", in: "other") == 2)
            #expect(try requests("pull", in: "one") == 1)
            #expect(try Program.todosync("show", "1.yaml", in: server.folder + "/one").output.contains("y"))
        }
    }

    /// Returns the number of requests to tables so far.
    private func count(_ server: TestedServer) throws -> Int {
        let metrics = try Program.shell(
            "curl --silent --fail \(server.url)/metrics", in: server.folder,
            environment: TestedEnvironment(home: server.folder)
        ).output.split(separator: "\n")
        try #require(metrics.contains { $0.contains("todosync_requests_total") })
        return metrics.filter { line in
            line.hasPrefix("todosync_requests_total{")
                && ["/tables/{table}", "/$batch"].contains { line.contains("route=\"\($0)") }
        }.reduce(0) { $0 + (Int($1.split(separator: " ").last ?? "") ?? 0) }
    }
}
