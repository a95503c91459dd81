import Foundation
import TestSupport
import Testing

/// The story that `demo` plays, and the commands that it suggests as the next steps.
@Suite(.ownThreads) struct DemoTests {
    private let folder: ThrowAwayFolder

    init() throws { folder = try ThrowAwayFolder() }

    @Test func `the demo shows a merge and leaves a conflict`() throws {
        let result = try Program.todosync("demo", in: folder.path)
        #expect(result.status == 0)
        #expect(result.output.contains("$ todosync clone store laptop\n"))
        #expect(result.output.contains("  Hello world 3  hello-world-3.yaml  tags\n"))
        #expect(result.output.contains("tags: [hello, work, home]\ndue: 2026-12-01\n"))
        let file = try folder.read("todosync-demo/phone/hello-world-3.yaml")
        let conflicted =
            /id: \S+\n<<<<<<< local \(phone\)\ntext: Hello world 13\n=======\ntext: Hello world 23\n>>>>>>> remote \(laptop, version \S+\)\ntags: \[hello, work, home\]\ndue: 2026-12-01\n/
        #expect(try conflicted.wholeMatch(in: file) != nil, "\(file)")
        #expect(result.output.contains(file))
        let status = try Program.todosync("-C", "todosync-demo/phone", "status", "--json", in: folder.path)
        #expect(status.output.contains("\"kind\": \"edit/edit\""))
        #expect(try Program.todosync("demo", in: folder.path).status == 73)
    }

    /// Returns the suggested commands, which are the indented lines.
    private func nextCommands(_ output: String) throws -> [String] {
        let part = try #require(output.range(of: "Now it is your turn."))
        return output[part.upperBound...].split(separator: "\n").filter { $0.hasPrefix("  ") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test(arguments: ["sh", "bash"])
    func `the next commands work as they stand in a new shell`(shell: String) throws {
        let demo = try Program.todosync("demo", "it's a demo", in: folder.path)
        let commands = try nextCommands(demo.output)
        #expect(commands.count == 6)
        // An interactive zsh doesn't support comments by default.
        #expect(!commands.contains { $0.contains("#") })
        let lines = commands.map { "\($0); echo \"exited with $?\"\n" }.joined()
        try folder.write(lines, to: "commands")
        var environment = TestedEnvironment(home: folder.path)
        environment.more = ["PATH": "/usr/bin:/bin", "EDITOR": "true"]
        let result = try Program.shell(
            "cd / && \(shell) < \"$HOME/commands\"", in: folder.path, environment: environment)
        let statuses = result.output.matches(of: /exited with (\d+)/).map(\.output.1)
        // The editor leaves the markers, so the conflict remains for the next command.
        #expect(statuses == ["0", "0", "0", "1", "0", "0"], "\(result.output)")
        #expect(result.output.contains("  Hello world 13  hello-world-3.yaml  with the local side"))
    }

    @Test func `a program that the shell finds by its name needs no path`() throws {
        let demo = try Program.shell(
            "todosync demo", in: folder.path, environment: TestedEnvironment(home: folder.path))
        #expect(!demo.output.contains("PATH"))
        #expect(try nextCommands(demo.output).first == "cd \(folder.path)/todosync-demo/phone")
    }

    @Test(arguments: ["./todosync", "../todosync"])
    func `a program that was started by a relative path is found from everywhere`(path: String) throws {
        let below = folder.path + "/below"
        try FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: true)
        let start = path.hasPrefix("./") ? folder.path : below
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/todosync", withDestinationPath: TestedBinary.path)
        let demo = try Program.shell(
            "\(path) -C / demo \(folder.path)/demo", in: start,
            environment: TestedEnvironment(home: folder.path))
        #expect(try nextCommands(demo.output).contains("export PATH=\(folder.path):\"$PATH\""))
    }

    @Test func `at a terminal the demo waits after each step`() throws {
        let terminal = try TerminalSession(
            ["demo"], in: folder.path, environment: ["NO_COLOR": "1"])
        for shown in ["clone store laptop", "pulled  new", "merged  changed", ">>>>>>> remote"] {
            try terminal.expect(shown)
            try terminal.expect("\npress Return to continue ")
            terminal.type("\n")
        }
        try terminal.expect("todosync push")
        #expect(try terminal.end() == 0)
    }

    @Test(arguments: [["demo"], []])
    func `a terminal's lines are broken between words`(arguments: [String]) throws {
        let terminal = try TerminalSession(arguments, in: folder.path, size: (lines: 50, columns: 80))
        terminal.type("\n\n\n\n")
        #expect(try terminal.end() == 0)
        let commands = ["  cd ", "  export ", "$ "]
        // On a slow machine, progress is drawn over itself in a line.
        let wide = terminal.transcript.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "")
            .split(whereSeparator: \.isNewline).flatMap { $0.split(separator: "\r") }
            .filter { line in line.count > 80 && !commands.contains { line.hasPrefix($0) } }
        #expect(wide == [])
    }

    @Test func `Ctrl-C stops the demo`() throws {
        let terminal = try TerminalSession(["demo"], in: folder.path)
        try terminal.expect("press Return to continue ")
        terminal.type("\u{3}")
        try terminal.expect("interrupted: the demo is not complete\nhint: run \"todosync demo DIR\"")
        #expect(try terminal.end() == 130)
        #expect(!terminal.transcript.contains("todosync add"))
    }

    @Test func `the demo goes on at the end of the input`() throws {
        let terminal = try TerminalSession(["demo"], in: folder.path)
        for _ in 0..<4 {
            try terminal.expect("press Return to continue ")
            terminal.type("\u{4}")
        }
        try terminal.expect("todosync push")
        #expect(try terminal.end() == 0)
    }
}
