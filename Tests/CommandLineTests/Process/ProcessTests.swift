import Foundation
import Platform
import TestSupport
import Testing

/// The program's behavior as a process among others.
@Suite(.ownThreads) struct ProcessTests {
    private let folder: ThrowAwayFolder

    init() throws {
        folder = try ThrowAwayFolder()
        _ = try Program.todosync("init", in: folder.path)
    }

    @Test func `a reader that has seen enough is no error`() throws {
        for number in 0..<2_000 {
            try folder.write(
                "text: Todo \(number)\nnotes: \(String(repeating: "x", count: 80))\n", to: "\(number).yaml")
        }
        let environment = TestedEnvironment(home: folder.path)
        let result = try Program.shell(
            "todosync list --json | head -n 1", in: folder.path, environment: environment)
        #expect(result.output == "[\n")
        #expect(result.status == 0)
    }

    @Test func `what turns the direction of a text is escaped in JSON, too`() throws {
        try folder.write("id: a\ntext: \"Pay \\u202E001 to Eve\"\n\u{2067}key: 1\n", to: "a.yaml")
        let result = try Program.todosync("list", "--json", in: folder.path)
        #expect(result.output.contains("\"text\": \"Pay \\u202e001 to Eve\""))
        #expect(result.output.contains("\"\\u2067key\": 1"))
    }

    @Test func `output that can't be written is an error`() throws {
        let environment = TestedEnvironment(home: folder.path)
        let result = try Program.shell(
            "todosync status > /dev/full", in: folder.path, environment: environment)
        #expect(
            result.output == """
                error: can't write standard output: no space left on device
                hint: free some disk space and try again

                """)
        #expect(result.status == 74)
    }

    @Test(arguments: [
        ["--help"], ["help"], [], ["push", "--help"], ["help", "remote", "add"], ["--version"],
        ["help", "--all"], ["--version", "-v"],
    ])
    func `help is a result`(arguments: [String]) throws {
        let result = try Program.todosync(arguments, in: folder.path)
        #expect(result.status == 0)
        #expect(!result.output.isEmpty)
        #expect(result.errors.isEmpty)
    }

    @Test(arguments: [
        ["foo"], ["statsu"], ["-C", "/", "--quiet", "ad", "Milk"],
    ])
    func `a command that there is not is refused by its name`(arguments: [String]) throws {
        let result = try Program.todosync(arguments, in: folder.path)
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("error: there is no command '"))
        #expect(result.errors.contains("did you mean \"todosync status\"?") == (arguments[0] == "statsu"))
    }

    @Test func `a folder can be named before and after the command`() throws {
        try folder.write("text: Here\n", to: "here.yaml")
        for arguments in [["-C", folder.path, "list"], ["list", "-C", folder.path]] {
            #expect(
                try Program.todosync(arguments, in: "/").output == "\tHere\t\t\t\topen,pending\there.yaml\n")
        }
    }

    @Test func `a name is looked for in the folder the user is in, then from the root`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/garden/garden", withIntermediateDirectories: true)
        try folder.write("id: root\ntext: At the root\n", to: "a.yaml")
        try folder.write("id: garden-1\ntext: In the garden\n", to: "garden/a.yaml")
        try folder.write("text: Below\n", to: "garden/garden/b.yaml")
        let below = folder.path + "/garden"
        #expect(try Program.todosync("show", "a.yaml", in: below).output.contains("In the garden"))
        #expect(try Program.todosync("show", "../a.yaml", in: below).output.contains("At the root"))
        #expect(try Program.todosync("show", "garden/a.yaml", in: below).output.contains("In the garden"))
        #expect(try Program.todosync("show", "garden/b.yaml", in: below).output.contains("Below"))
        // A folder's name doesn't name a todo, but can be the beginning of an id.
        #expect(try Program.todosync("show", "garden", in: below).output.contains("In the garden"))
    }

    @Test func `a todo whose file is gone is still named by its path`() throws {
        _ = try Program.todosync("init", "--bare", "../\(folder.name)-store", in: folder.path)
        defer { try? FileManager.default.removeItem(atPath: folder.path + "-store") }
        _ = try Program.todosync("remote", "add", "origin", "../\(folder.name)-store", in: folder.path)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/garden", withIntermediateDirectories: true)
        try folder.write("id: a\ntext: Gone\n", to: "garden/a.yaml")
        #expect(try Program.todosync("push", in: folder.path).status == 0)
        try FileManager.default.removeItem(atPath: folder.path + "/garden/a.yaml")
        let diff = try Program.todosync("diff", "a.yaml", in: folder.path + "/garden")
        #expect(diff.output.contains("-text: Gone"))
    }

    @Test func `a link to the working directory is the working directory`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "-link", withDestinationPath: folder.path)
        defer { try? FileManager.default.removeItem(atPath: folder.path + "-link") }
        try folder.write("text: Here\n", to: "here.yaml")
        let shown = try Program.todosync("show", folder.path + "-link/here.yaml", in: folder.path)
        #expect(shown.output == "text: Here\n")
    }

    @Test func `a working directory that another todosync works in is busy, for reading it is not`() throws {
        let descriptor = open(folder.path + "/.todosync/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        let added = try Program.todosync("add", "Wait", "--lock-timeout", "0", in: folder.path)
        #expect(added.status == 75)
        #expect(added.errors.hasPrefix("error: another todosync is running here\nhint: "))
        #expect(try Program.todosync("list", in: folder.path).status == 0)
        close(descriptor)
        #expect(try Program.todosync("add", "Wait", in: folder.path).status == 0)
    }
}
