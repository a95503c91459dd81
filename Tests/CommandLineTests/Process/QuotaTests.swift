import Foundation
import TestSupport
import Testing

/// A server with limits for its tables.
@Suite(.ownThreads) struct QuotaTests {
    @Test func `a full table takes no new todos, and a client keeps them`() throws {
        let folder = try ThrowAwayFolder()
        func todosync(_ words: String) throws -> Program.Result {
            let environment = TestedEnvironment(home: folder.path, seed: .random(in: 1...1_000_000))
            return try Program.shell("todosync " + words, in: folder.path, environment: environment)
        }
        #expect(try todosync("init --bare store").status == 0)
        let server = try ServerProcess(
            "--max-todos", "2", "--max-megabytes", "1", in: folder, store: folder.path + "/store")
        #expect(try todosync("clone \(server.url)/tables/todoitem home").status == 0)
        for text in ["one", "two", "three"] {
            #expect(try todosync("-C home add \(text)").status == 0)
        }
        let full = try todosync("-C home push")
        #expect(full.status == 1)
        #expect(full.output.contains("the table has reached its limit of 2 todos; delete some to add more"))
        #expect(try todosync("-C home status --porcelain").output.split(separator: "\n").count == 1)

        #expect(try todosync("-C home rm one two").status == 0)
        #expect(try todosync("-C home sync").status == 0)
        #expect(try todosync("-C home status --porcelain").output == "")

        let text = String(repeating: "x", count: 990_000)
        try Data(#"{"id":"large","text":"\#(text)"}"#.utf8).write(
            to: URL(filePath: folder.path + "/large.json"))
        let json = "content-type: application/json"
        let path = "/tables/todoitem"
        let body = "@" + folder.path + "/large.json"
        #expect(try server.status(of: path, "-X", "POST", "-H", json, "-d", body) == "201")
        let longer = #"{"text":"\#(text)\#(text)"}"#
        try Data(longer.utf8).write(to: URL(filePath: folder.path + "/longer.json"))
        let change = ["-X", "PATCH", "-H", json, "-d", "@" + folder.path + "/longer.json"]
        #expect(
            try server.status(
                of: path + "/large", change[0], change[1], change[2], change[3], change[4], change[5])
                == "507")
        #expect(try server.status(of: path + "/large", "-X", "DELETE") == "204")
        server.signal(SIGTERM)
        #expect(server.end() == 0)
        for words in ["--max-todos -1", "--max-megabytes x"] {
            #expect(try todosync("serve --store store \(words)").status == 64)
        }
    }
}
