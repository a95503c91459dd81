import Foundation
import TestSupport
import Testing

/// `serve store copy` while a server and clients use the store.
@Suite(.ownThreads) struct StoreCopyCommandTests {
    private let folder: ThrowAwayFolder

    init() throws { folder = try ThrowAwayFolder() }

    private func todosync(_ arguments: String...) throws -> Program.Result {
        let words = (["todosync"] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let environment = TestedEnvironment(home: folder.path, seed: .random(in: 1...1_000_000))
        return try Program.shell(words, in: folder.path, environment: environment)
    }

    @Test(arguments: ["new", "database"])
    func `clients continue at the new location, and the old one is closed`(_ kind: String) throws {
        var target = "new"
        if kind == "database" {
            #if PostgreSQL
                let cluster = try PostgresCluster.shared.get()
                let name = "copied_\(UUID().uuidString.prefix(8).lowercased())"
                target = try cluster.createDatabase(name)
            #else
                return
            #endif
        }
        #expect(try todosync("init", "--bare", "old").status == 0)
        let before = try ServerProcess(in: try ThrowAwayFolder(), store: folder.path + "/old")
        let port = before.url.split(separator: ":").last.map(String.init) ?? ""
        for name in ["one", "two"] {
            #expect(try todosync("clone", before.url + "/tables/todoitem", name).status == 0)
        }
        #expect(try todosync("-C", "one", "add", "Buy milk").status == 0)
        #expect(try todosync("-C", "one", "sync").status == 0)
        #expect(try todosync("-C", "two", "add", "Call Anna").status == 0)

        let copied = try todosync("serve", "store", "copy", "--from", "old", "--to", target)
        #expect(copied.status == 0)
        #expect(copied.output.contains("1 table, 1 todo and 0 keys"))

        // The server of the old store answers only with 503, and no new server starts.
        let answer = try before.curl("/tables/todoitem", "-i").output
        #expect(answer.contains(" 503 ") && answer.lowercased().contains("retry-after:"))
        #expect(try todosync("-C", "two", "sync").status == 69)
        before.signal(SIGTERM)
        #expect(before.end() == 0)
        let refused = try todosync("serve", "--store", "old")
        #expect(refused.status == 78)
        #expect(refused.output.contains("old: the store was moved to "))

        let path = kind == "database" ? target : folder.path + "/" + target
        let after = try ServerProcess(
            "--listen", "127.0.0.1:\(port)", in: try ThrowAwayFolder(), store: path)
        for name in ["two", "one"] { #expect(try todosync("-C", name, "sync").status == 0) }
        for name in ["one", "two"] {
            #expect(try todosync("-C", name, "list", "--count").output == "2\n")
            #expect(try todosync("-C", name, "status", "--porcelain").output == "")
        }

        // The new store has changed, so the old one can't be reopened.
        let reopened = try todosync("serve", "store", "copy", "--from", "old", "--to", target, "--reopen")
        #expect(reopened.status == 78)
        #expect(reopened.output.contains("the copy was changed since it was made"))
        after.signal(SIGTERM)
        #expect(after.end() == 0)
    }

    @Test func `a killed copy goes on, or is given up`() throws {
        #expect(try todosync("init", "--bare", "old").status == 0)
        #expect(try todosync("init", "home").status == 0)
        #expect(try todosync("-C", "home", "remote", "add", "origin", "../old").status == 0)
        #expect(try todosync("-C", "home", "add", "Buy milk").status == 0)
        #expect(try todosync("-C", "home", "push").status == 0)
        // strace kills the command when it synchronizes the disk for the n-th time.
        var number = 0
        while true {
            number += 1
            let copying =
                "strace -qq -f -o /dev/null -e trace=fdatasync,fsync -e inject=fdatasync,fsync:signal=KILL:when=\(number) "
                + "todosync serve store copy --from old --to new"
            let environment = TestedEnvironment(home: folder.path, seed: number)
            let killed = try Program.shell(copying, in: folder.path, environment: environment)
            if killed.status == 0 { break }
            if number.isMultiple(of: 2) {
                let given = try todosync("serve", "store", "copy", "--from", "old", "--to", "new", "--reopen")
                #expect(given.status == 0, "\(number): \(given.output)")
                #expect(try todosync("-C", "home", "pull").status == 0)
            } else {
                #expect(try todosync("serve", "store", "copy", "--from", "old", "--to", "new").status == 0)
                #expect(try todosync("fsck", "--store", "new").status == 0)
                #expect(try todosync("serve", "store", "copy", "--from", "old", "--reopen").status == 0)
            }
            try? FileManager.default.removeItem(atPath: folder.path + "/new")
        }
        // The last copy was not killed.
        #expect(number > 5)
        #expect(try todosync("fsck", "--store", "new").status == 0)
        #expect(try todosync("-C", "home", "remote", "set-url", "origin", "../new").status == 0)
        #expect(try todosync("-C", "home", "sync").status == 0)
        #expect(try todosync("-C", "home", "status", "--porcelain").output == "")
    }

    @Test func `a backup is made of a folder, and checked`() throws {
        #expect(try todosync("init", "--bare", "old").status == 0)
        #expect(try todosync("init", "home").status == 0)
        #expect(try todosync("-C", "home", "remote", "add", "origin", "../old").status == 0)
        #expect(try todosync("-C", "home", "add", "Buy milk").status == 0)
        #expect(try todosync("-C", "home", "push").status == 0)
        let server = try ServerProcess(in: try ThrowAwayFolder(), store: folder.path + "/old")
        let made = try todosync("serve", "backup", "--store", "old", "--to", "backup")
        #expect(made.status == 0)
        #expect(made.output == "backed up the store to \(folder.path)/backup: 1 table, 1 todo and 0 keys\n")
        #expect(try todosync("fsck", "--store", "backup").status == 0)
        let again = try todosync("serve", "backup", "--store", "old", "--to", "backup")
        #expect(again.status == 73)
        #expect(again.output.contains("backup: the folder is not empty\nhint: choose a new folder with --to"))
        let url = try todosync("serve", "backup", "--store", "old", "--to", "postgresql://u:geheim@h/todos")
        #expect(url.status == 64 && url.output.contains("a backup is a folder"))
        #expect(!url.output.contains("geheim"))
        let database = try todosync("serve", "backup", "--store", "postgresql:///todos", "--to", "other")
        #expect(database.status == 64)
        #expect(database.output.contains("serve backup works only with a store in a folder"))
        server.signal(SIGTERM)
        #expect(server.end() == 0)

        // A change that is newer than the backup isn't lost with the store.
        #expect(try todosync("-C", "home", "add", "Call Anna").status == 0)
        #expect(try todosync("-C", "home", "push").status == 0)
        try FileManager.default.removeItem(atPath: folder.path + "/old")
        try FileManager.default.moveItem(atPath: folder.path + "/backup", toPath: folder.path + "/old")
        #expect(try todosync("-C", "home", "sync").status == 78)
        #expect(try todosync("-C", "home", "list", "--count").output == "2\n")
    }

    @Test(arguments: [
        (["--from", "old"], 64, "the option --to is missing"),
        (["--from", "old", "--to", "./old"], 64, "--from and --to are the same store"),
        (["--from", "none", "--to", "new"], 66, "none: no such store"),
        (
            ["--from", "old", "--to", "postgresql://app:secret@localhost/todos"], 64,
            "can't contain a password"
        ),
        (["--from", "old", "--to", "full"], 73, "full: another store is already there"),
        (["--from", "old", "--to", "files"], 74, "files: the folder is not empty"),
    ])
    func `wrong locations are refused`(_ arguments: [String], _ status: Int32, _ words: String) throws {
        #expect(try todosync("init", "--bare", "old").status == 0)
        #expect(try todosync("init", "--bare", "full").status == 0)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/files", withIntermediateDirectories: false)
        try Data("a".utf8).write(to: URL(filePath: folder.path + "/files/a"))
        let typed = "todosync serve store copy " + arguments.joined(separator: " ")
        let result = try Program.shell(
            typed, in: folder.path, environment: TestedEnvironment(home: folder.path, seed: 1))
        #expect(result.status == status, "\(result.output)")
        #expect(result.output.contains(words))
        #expect(try todosync("serve", "key", "list", "--store", "old").status == 0)
    }
}
