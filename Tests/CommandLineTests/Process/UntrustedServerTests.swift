import Foundation
import Synchronization
import TestSupport
import Testing

/// A folder whose remote is on a server that the user has not trusted.
@Suite(.ownThreads) struct UntrustedServerTests {
    /// A server that counts connections, and never answers.
    private final class Counter: Sendable {
        private let connections = Mutex(0)
        var count: Int { connections.withLock { $0 } }
        func add() { connections.withLock { $0 += 1 } }
    }

    private func withSilentServer(
        _ body: (_ folder: ThrowAwayFolder, _ origin: String, _ counter: Counter) throws -> Void
    ) throws {
        let counter = Counter()
        let server = try LoopbackServer { _ in counter.add() }
        let folder = try ThrowAwayFolder()
        let origin = "http://127.0.0.1:\(server.port)"
        // A stranger's repository, and a helper that records whether it was asked.
        let made = try Program.shell(
            """
            set -e
            todosync init --quiet todos
            echo 'remote: \(origin)/tables/todoitem' > todos/.todosync/config.yaml
            printf 'id: a\\ntext: secret plans\\n' > todos/a.yaml
            mkdir -p .config/todosync
            echo 'helper touch "$HOME/asked"; false' > .config/todosync/credentials
            chmod 600 .config/todosync/credentials
            """, in: folder.path, environment: TestedEnvironment(home: folder.path))
        try #require(made.status == 0, "\(made.output)")
        try body(folder, origin, counter)
    }

    @Test(arguments: [
        ["sync"], ["push"], ["pull"], ["push", "a.yaml"], ["sync", "--dry-run"], ["push", "--dry-run"],
        ["pull", "--dry-run"], ["sync", "--json"],
    ])
    func `it gets no connection, and no helper is asked for its key`(words: [String]) throws {
        try withSilentServer { folder, origin, counter in
            let result = try Program.todosync(
                words, in: folder.path + "/todos",
                environment: ["HOME": folder.path, "TODOSYNC_KEY": "secret", "http_proxy": origin])
            #expect(result.status == 78)
            let isJSON = words.contains("--json")
            #expect(
                isJSON
                    ? result.errors.hasPrefix(
                        #"{"error":{"code":"untrusted","status":78,"message":"\#(origin) is not "#)
                    : result.errors == """
                        error: \(origin) is not a server that you trust; nothing was sent to it
                        hint: if you know who runs it, run "todosync trust \(origin)" to push and pull there

                        """)
            #expect(result.output.isEmpty != isJSON)
            #expect(counter.count == 0)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/asked"))
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/.config/todosync/trusted"))
        }
    }

    @Test(arguments: [
        "todosync trust $origin", "TODOSYNC_TRUST=$origin; export TODOSYNC_TRUST",
        "todosync remote set-url origin $url",
        "todosync remote remove origin; todosync remote add origin $url",
        "echo key | todosync remote login $url", "echo key | todosync remote login $origin",
    ])
    func `whoever names it trusts it`(command: String) throws {
        try withSilentServer { folder, origin, counter in
            let result = try Program.shell(
                """
                rm ../.config/todosync/credentials
                origin=\(origin); url=$origin/tables/todoitem
                (\(command)) > /dev/null 2>&1; \(command.contains("export") ? command : "true")
                todosync sync
                """, in: folder.path + "/todos", environment: TestedEnvironment(home: folder.path))
            #expect(result.status == 69, "\(result.output)")
            #expect(counter.count > 0)
        }
    }

    @Test func `trust in one server doesn't extend to its neighbors`() throws {
        try withSilentServer { folder, origin, counter in
            let port = origin.split(separator: ":")[2]
            let result = try Program.shell(
                """
                for other in https://127.0.0.1:\(port) http://127.0.0.1:1 http://localhost:\(port) \
                    http://127.0.0.1 http://[::1]:\(port); do todosync trust $other || exit; done
                todosync -C todos sync
                """, in: folder.path, environment: TestedEnvironment(home: folder.path))
            #expect(result.status == 78, "\(result.output)")
            #expect(counter.count == 0)
        }
    }

    @Test(arguments: ["y\n", "\n", "n\n", "\u{4}"])
    func `at a terminal it asks, and only a yes is one`(answer: String) throws {
        try withSilentServer { folder, origin, counter in
            try? FileManager.default.removeItem(atPath: folder.path + "/.config/todosync/credentials")
            let session = try TerminalSession(
                ["sync"], in: folder.path + "/todos", environment: ["HOME": folder.path])
            try session.expect("trust \(origin)? [y/N] ")
            #expect(counter.count == 0)
            session.type(answer)
            let isTrusted = answer == "y\n"
            #expect(try session.end() == (isTrusted ? 69 : 78))
            #expect((counter.count > 0) == isTrusted)
            let list = try Program.todosync("trust", in: folder.path).output
            #expect(list == (isTrusted ? origin + "\n" : ""))
        }
    }
}
