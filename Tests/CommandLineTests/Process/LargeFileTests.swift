import Foundation
import TestSupport
import Testing

/// Files that are larger than what todosync reads; none of them is read.
@Suite(.ownThreads) struct LargeFileTests {
    private let folder: ThrowAwayFolder

    init() throws {
        folder = try ThrowAwayFolder()
        _ = try run("todosync init --quiet")
        try folder.write("text: Milk\n", to: "milk.yaml")
    }

    /// Runs a script that may use 2 GB of address space, so that reading 4 GB fails.
    private func run(_ script: String) throws -> Program.Result {
        try Program.shell(
            "ulimit -v 2000000\n" + script, in: folder.path,
            environment: TestedEnvironment(home: folder.path))
    }

    @Test(arguments: [
        ("config.yaml", "list @mine"), ("config.yaml", "add Bread"),
        ("trusted", "trust"), ("handlers", "trust --handler"),
        ("credentials", "remote login http://127.0.0.1:9/tables/x"),
    ])
    func `a file of the user's configuration`(_ name: String, _ command: String) throws {
        let result = try run(
            """
            mkdir -p .config/todosync; truncate -s 4G .config/todosync/\(name)
            chmod 600 .config/todosync/\(name); printf 'merge: {handler: x}\n' > .todosync/config.yaml
            echo key | todosync \(command)
            """)
        #expect(
            result.output == """
                error: \(folder.path)/.config/todosync/\(name) is larger than 1 MiB
                hint: shorten it, or find out what filled it, and try again

                """)
        #expect(result.status == 78)
    }

    @Test(arguments: ["list", "status", "sync"])
    func `the folder's configuration`(_ command: String) throws {
        let result = try run("truncate -s 4G .todosync/config.yaml; todosync \(command)")
        #expect(result.output.contains("can't read .todosync/config.yaml: it is larger than 1 MiB\nhint: "))
        #expect(result.status == 78)
    }

    @Test func `patterns of files to ignore, here and in a folder`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/sub", withIntermediateDirectories: false)
        try folder.write("text: Bread\n", to: "sub/bread.yaml")
        let inner = try run("truncate -s 4G sub/.todosyncignore; todosync status --verbose")
        let words = "can't read sub/.todosyncignore: it is larger than 1 MiB"
        #expect(inner.output.contains(words), "\(inner.output)")
        #expect(inner.status == 0)
        let outer = try run("truncate -s 4G .todosyncignore; todosync status")
        #expect(
            outer.output == """
                error: can't read .todosyncignore: it is larger than 1 MiB
                hint: shorten it, or find out what filled it, and try again

                """)
        #expect(outer.status == 78)
    }
}
