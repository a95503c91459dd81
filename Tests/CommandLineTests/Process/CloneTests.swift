import TestSupport
import Testing

/// The folders that `clone` accepts, for its store and for the new working directory.
@Suite(.ownThreads) struct CloneTests {
    private let folder: ThrowAwayFolder

    init() throws { folder = try ThrowAwayFolder() }

    private func run(_ script: String) throws -> Program.Result {
        try Program.shell(
            "unset TODOSYNC_SEED; " + script, in: folder.path,
            environment: TestedEnvironment(home: folder.path))
    }

    @Test(arguments: ["my #1 store", "a#b", "#", "a#b/c#d", "#todoitem"])
    func `a store's folder can have a # in its name`(name: String) throws {
        let result = try run(
            """
            set -e; mkdir -p '\(name)'; todosync init -q --bare '\(name)'
            todosync clone -q '\(name)' here; cd here; todosync add -q Milk; todosync sync -q; todosync remote
            url=$(todosync remote | cut -f 2); mkdir ../elsewhere; cd ../elsewhere; todosync clone -q "$url" there
            tail -n 1 there/milk.yaml
            cd there; todosync remote set-url origin ../../'\(name)'; todosync sync
            """)
        #expect(result.status == 0, "\(result.output)")
        #expect(
            result.output == "origin\t\(folder.path)/\(name)#todoitem\ntext: Milk\neverything up to date\n")
    }

    @Test func `a folder that doesn't exist is named as the URL that it would have`() throws {
        let result = try run("todosync clone 'my #1 store' here")
        #expect(result.status == 64)
        #expect(result.output.contains("file://\(folder.path)/my%20%231%20store"), "\(result.output)")
        let other = try run(
            "todosync init -q --bare 'my #1 store'; todosync clone -q file://$PWD/my%20%231%20store here")
        #expect(other.status == 0 && other.output == "", "\(other.output)")
    }

    @Test func `inside a working directory or a store, nothing is cloned`() throws {
        let result = try run(
            "todosync init -q --bare store; todosync clone -q store a; cd a; mkdir b; todosync clone ../store b/c"
        )
        #expect(result.status == 73)
        #expect(result.output.hasPrefix("error: \(folder.path)/a/b/c belongs to the working directory"))
        #expect(result.output.contains("--force"))
        #expect(try run("ls -A a/b").output.isEmpty)
        #expect(try run("cd a/b; todosync clone -q --force ../../store c").status == 0)
        // A clone that was interrupted can be resumed without the option.
        #expect(
            try run("cd a/b; todosync clone -q ../../store c").output
                .contains("belongs to") == false)
        #expect(try run("todosync clone -q store store/c").output.contains("is in the store"))
    }
}
