import Foundation
import TestSupport
import Testing

/// The commands that trust a server because the user names it.
@Suite(.ownThreads) struct NamedServerTests {
    private static let list = ".config/todosync/trusted"

    /// Runs a script with a server at `$origin`, and one of its tables at `$url`.
    private func run(_ script: String, in folder: ThrowAwayFolder) async throws -> Program.Result {
        var result: Program.Result?
        try await withServer(keys: false) { server in
            let start = """
                unset TODOSYNC_SEED; origin=\(server.url); url=$origin/tables/todoitem
                # Nobody listens there.
                absent=http://127.0.0.1:1/tables/todoitem

                """
            let ended = try Program.shell(
                start + script, in: folder.path, environment: TestedEnvironment(home: folder.path))
            result = Program.Result(
                status: ended.status, output: ended.output.replacing(server.url, with: "$origin"), errors: "")
        }
        return try #require(result)
    }

    private static let failing: [(command: String, status: Int32)] = [
        ("todosync clone $absent other", 69),
        ("todosync clone $origin/tables/none/x other", 64),
        ("mkdir full; touch full/x; todosync clone $url full", 73),
        ("touch file; todosync clone $url file/other", 73),
        ("todosync init --quiet a; todosync -C a remote set-url origin $url", 78),
        ("todosync remote add origin $url", 66),
        ("todosync init --bare s; todosync clone s a; todosync -C a remote add origin $url", 78),
        // A folder with a conflict keeps its remote.
        ("todosync demo --quiet d > out; cd d/phone; todosync remote set-url origin $url", 1),
    ]

    @Test(arguments: failing)
    func `a command that fails trusts no server`(command: String, status: Int32) async throws {
        let folder = try ThrowAwayFolder()
        let result = try await run("(\(command))", in: folder)
        #expect(result.status == status, "\(result.output)")
        #expect(result.output.contains("error: "), "\(result.output)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/" + Self.list), "\(result.output)")
    }

    @Test func `a command that fails takes no trust away`() async throws {
        let result = try await run(
            "todosync trust $absent; todosync clone $absent other > errors 2>&1 || todosync trust",
            in: ThrowAwayFolder())
        #expect(result.output.hasSuffix("\nhttp://127.0.0.1:1\n"), "\(result.output)")
    }

    @Test(arguments: [
        "todosync clone --quiet $url a", "todosync init --quiet a; todosync -C a remote add origin $url",
        "todosync init --quiet a; todosync -C a remote add origin $absent; todosync -C a remote set-url origin $url",
    ])
    func `a command that succeeds trusts the server, once and for all`(command: String) async throws {
        let result = try await run(
            """
            \(command)
            todosync trust | grep $origin
            todosync -C a add --quiet Milk; todosync -C a push --quiet
            # Trust that is taken back does not return by itself.
            todosync trust --remove $origin; todosync -C a sync > errors 2>&1; echo "status $?"
            """, in: ThrowAwayFolder())
        #expect(result.output == "$origin\nstatus 78\n", "\(result.output)")
    }

    @Test(arguments: ["todosync clone $url b", "todosync -C a remote add origin $url"])
    func `where the list can't be written, nothing is done`(command: String) async throws {
        let result = try await run(
            """
            todosync init --quiet a; rm -rf .config; echo 'not a folder' > .config
            \(command) > errors 2>&1; echo "status $?"; head -c 6 errors; echo; ls; todosync -C a remote
            """, in: ThrowAwayFolder())
        #expect(
            ["status 73\nerror:\na\nerrors\n", "status 74\nerror:\na\nerrors\n"].contains(result.output),
            "\(result.output)")
    }
}
