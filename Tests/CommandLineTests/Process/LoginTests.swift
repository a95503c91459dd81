import Foundation
import TestSupport
import Testing

/// `remote login` tries the key that the user types.
@Suite(.ownThreads) struct LoginTests {
    private static let credentials = ".config/todosync/credentials"

    private func login(_ key: String, _ url: String, in folder: ThrowAwayFolder) throws -> Program.Result {
        try Program.shell(
            "echo '\(key)' | todosync remote login '\(url)'", in: folder.path,
            environment: TestedEnvironment(home: folder.path))
    }

    private func keptLine(_ url: String, _ folder: ThrowAwayFolder) -> String {
        "the key for \(url) is saved in \(folder.path)/\(Self.credentials)\n"
    }

    @Test func `a key that the server takes is kept, whether a table is named or not`() async throws {
        try await withServer { server in
            for url in [server.url, server.url + "/", server.url + "/tables/todoitem"] {
                let folder = try ThrowAwayFolder()
                let result = try login(server.key, url, in: folder)
                #expect(result.status == 0 && result.output == keptLine(server.url, folder), "\(result)")
                #expect(try folder.read(Self.credentials) == "\(server.url) \(server.key)\n")
                #expect(try folder.read(".config/todosync/trusted") == "\(server.url)\n")
            }
        }
    }

    @Test func `a key that the server refuses is not kept, and the one before stays`() async throws {
        try await withServer { server in
            let folder = try ThrowAwayFolder()
            for url in [server.url, server.url + "/tables/todoitem"] {
                let result = try login("wrong", url, in: folder)
                #expect(result.status == 77)
                #expect(
                    result.output == """
                        error: the server refused the key: \(server.url)/tables/todoitem: Unauthorized
                        hint: nothing was saved; ask the server's administrator for a key

                        """)
                #expect(!FileManager.default.fileExists(atPath: folder.path + "/.config"))
            }
            _ = try login(server.key, server.url, in: folder)
            #expect(try login("wrong", server.url, in: folder).status == 77)
            #expect(try folder.read(Self.credentials) == "\(server.url) \(server.key)\n")
        }
    }

    @Test func `if a saved key is refused later, the message reports that it is the saved one`() async throws
    {
        try await withServer { server in
            let folder = try ThrowAwayFolder()
            let url = server.url + "/tables/todoitem"
            _ = try login(server.key, url, in: folder)
            let credentials = try folder.read(Self.credentials)
            try folder.write(
                credentials.replacingOccurrences(of: server.key, with: "old"), to: Self.credentials)
            let result = try Program.todosync("clone", url, "copy", in: folder.path)
            #expect(result.status == 77)
            #expect(
                result.errors == """
                    error: the saved key was refused: the remote refused access: \(url): Unauthorized
                    hint: run "todosync remote login \(url)" to save a different one

                    """)
        }
    }

    @Test func `a key for another table is refused for the one that is named`() async throws {
        try await withServer { server in
            let folder = try ThrowAwayFolder()
            let result = try login(server.key, server.url + "/tables/other", in: folder)
            #expect(
                result.status == 77 && result.output.contains("the server refused the key: "), "\(result)")
            let added = try Program.todosync(
                "serve", "key", "add", "b", "--table", "other", "--access", "write", "--store", "store",
                in: server.folder)
            let key = String(try #require(added.output.split(separator: "\n").last))
            #expect(try login(key, server.url, in: folder).status == 0, "no table was named")
            #expect(try login(key, server.url + "/tables/other", in: folder).status == 0)
        }
    }

    @Test func `a table that is not there is reported, and the key kept`() async throws {
        try await withServer { server in
            let added = try Program.todosync(
                "serve", "key", "add", "reader", "--table", "misspelled", "--access", "read", "--store",
                "store",
                in: server.folder)
            let key = String(try #require(added.output.split(separator: "\n").last))
            let folder = try ThrowAwayFolder()
            let url = server.url + "/tables/misspelled"
            let result = try login(key, url, in: folder)
            #expect(result.status == 78)
            #expect(
                result.output == keptLine(server.url, folder) + """
                    error: \(url): there is no such table (Table 'misspelled' does not exist.)
                    hint: check the URL, or ask the server's administrator to create the table

                    """)
            #expect(try folder.read(Self.credentials) == "\(server.url) \(key)\n")
        }
    }

    @Test func `where the server can't be reached the key is kept, untried`() throws {
        let folder = try ThrowAwayFolder()
        let url = "http://127.0.0.1:1/tables/todoitem"
        let result = try login("key", url, in: folder)
        #expect(result.status == 69)
        #expect(
            result.output == keptLine("http://127.0.0.1:1", folder) + """
                error: \(url) can't be reached: connection refused
                hint: the key is saved, but could not be tried

                """)
        #expect(try folder.read(Self.credentials) == "http://127.0.0.1:1 key\n")
    }

    @Test func `the key that is typed is tried, not the one of the environment`() async throws {
        try await withServer { server in
            let folder = try ThrowAwayFolder()
            let result = try Program.shell(
                "echo wrong | TODOSYNC_KEY=\(server.key) todosync remote login \(server.url)",
                in: folder.path,
                environment: TestedEnvironment(home: folder.path))
            #expect(result.status == 77, "\(result)")
        }
    }
}
