import Foundation
import TestSupport
import Testing

/// Commands that change the todos that a filter finds.
@Suite(.ownThreads) struct ManyTodosTests {
    private let folder: ThrowAwayFolder

    /// Seven open todos, five of them with the tag `few`, and one that is done.
    init() throws {
        folder = try ThrowAwayFolder()
        _ = try Program.todosync("init", in: folder.path)
        for number in 1...7 {
            let tags = number <= 5 ? "[all, few]" : "[all]"
            try folder.write("id: t\(number)\ntext: Todo \(number)\ntags: \(tags)\n", to: "t\(number).yaml")
        }
        try folder.write("id: t8\ntext: Todo 8\ntags: [all]\ncomplete: true\n", to: "t8.yaml")
    }

    private func texts() throws -> [String] { try (1...8).map { try folder.read("t\($0).yaml") } }

    @Test(arguments: [
        ["done", "tag:all"], ["done", "--no-input", "tag:all"], ["set", "tag:all", "due=fri"],
        ["set", "due=fri", "tag:all"], ["unset", "tag:all", "tags"], ["unset", "tags", "tag:all"],
        ["rm", "tag:few"], ["rm", "text:Todo", "text:1"], ["rm", "--no-input", "is:done"],
    ])
    func `without a terminal, many changes and each delete need --yes`(arguments: [String]) throws {
        let before = try texts()
        let result = try Program.todosync(arguments, in: folder.path)
        #expect(result.status == 64)
        #expect(result.errors.contains("nothing was changed"))
        #expect(result.errors.contains("--yes"))
        #expect(result.output == "")
        #expect(try texts() == before)
        let agreed = try Program.todosync(arguments + ["--yes"], in: folder.path)
        #expect(agreed.status == 0)
        #expect(!agreed.output.isEmpty)
    }

    @Test func `a few todos change at once, and each is shown`() throws {
        let result = try Program.todosync("set", "due=2026-12-01", "tag:few", "-text:3", in: folder.path)
        #expect(result.status == 0)
        #expect(
            result.output == """
                changed  t1  Todo 1  due none → 2026-12-01  t1.yaml
                changed  t2  Todo 2  due none → 2026-12-01  t2.yaml
                changed  t4  Todo 4  due none → 2026-12-01  t4.yaml
                changed  t5  Todo 5  due none → 2026-12-01  t5.yaml

                """)
        #expect(
            try texts().map { $0.contains("due: 2026-12-01") } == [
                true, true, false, true, true, false, false, false,
            ])
    }

    @Test func `what would not change does not count, and --quiet shows nothing`() throws {
        _ = try Program.todosync("done", "--yes", "tag:all", "-text:7", in: folder.path)
        let result = try Program.todosync("done", "--quiet", "is:done", "tag:all", in: folder.path)
        #expect(result.status == 0)
        let rest = try Program.todosync("done", "tag:all", in: folder.path)
        #expect(rest.output == "done  t7  Todo 7  t7.yaml\n")
        let quiet = try Program.todosync("reopen", "--quiet", "text:7", in: folder.path)
        #expect(quiet.status == 0 && quiet.output == "" && quiet.errors == "")
        #expect(try folder.read("t7.yaml").contains("complete: false"))
    }

    @Test(arguments: [
        (["done", "tag:none-has-it"], 66), (["done", "t1.yaml", "tag:all"], 64),
        (["rm", "tag:all", "t1"], 64),
        (["unset", "t1.yaml", "tags", "tag:few"], 64), (["set", "t1.yaml", "due=fri", "tag:few"], 64),
        (["set", "tag:few", "-tag:all"], 64), (["unset", "tag:few", "overdue"], 64),
        (["done", "is:old"], 64),
        (["set", "tag:few", "due=someday"], 64), (["set", "tag:few", "id=5"], 64), (["diff", "tag:x"], 66),
    ])
    func `a wrong filter changes nothing`(arguments: [String], status: Int) throws {
        let before = try texts()
        #expect(try Program.todosync(arguments, in: folder.path).status == status)
        #expect(try texts() == before)
    }

    @Test func `a file whose name looks like a term is a todo`() throws {
        try folder.write("id: odd\ntext: Odd\n", to: "tag:all")
        let result = try Program.todosync("rm", "tag:all", in: folder.path)
        #expect(result.status == 66)
        #expect(result.errors.contains("tag:all"))
        #expect(try texts().count == 8)
    }

    // MARK: At a terminal

    private func terminal(_ arguments: String...) throws -> TerminalSession {
        try TerminalSession(arguments, in: folder.path, environment: ["NO_COLOR": "1"])
    }

    @Test func `at a terminal, the user sees what a filter would change, and is asked`() throws {
        let terminal = try terminal("done", "tag:all")
        try terminal.expect("will be done  t7  Todo 7  t7.yaml\nmark 7 todos as done? [Y/n] ")
        terminal.type("n\n")
        try terminal.expect("\nnothing was changed\n")
        #expect(try terminal.end() == 1)
        #expect(try !texts()[6].contains("complete"))
        let again = try self.terminal("done", "tag:all")
        try again.expect("mark 7 todos as done? [Y/n] ")
        again.type("y\n")
        #expect(try again.end() == 0)
        #expect(again.transcript.hasSuffix("7 todos done\n"))
        #expect(try texts().allSatisfy { $0.contains("complete: true") })
    }

    @Test func `a question about more todos than it lists isn't confirmed by an empty answer`() throws {
        for number in 10..<35 {
            try folder.write("id: m\(number)\ntext: More\ntags: [more]\n", to: "m\(number).yaml")
        }
        let terminal = try terminal("done", "tag:more")
        try terminal.expect("m29.yaml\n… and 5 more\nmark 25 todos as done? [y/N] ")
        terminal.type("\n")
        try terminal.expect("\nnothing was changed\n")
        #expect(try terminal.end() == 1)
    }

    @Test func `at a terminal, a few todos change without a question, and a delete is asked about`() throws {
        #expect(try terminal("done", "tag:few").end() == 0)
        let removal = try terminal("rm", "text:7")
        try removal.expect("will be deleted  t7  Todo 7  t7.yaml\ndelete 1 todo? [y/N] ")
        removal.type("y\n")
        #expect(try removal.end() == 0)
        #expect(throws: (any Error).self) { try folder.read("t7.yaml") }
    }

    @Test func `--no-input asks nothing at a terminal, and Ctrl-C changes nothing`() throws {
        let silent = try terminal("done", "--no-input", "tag:all")
        try silent.expect("add --yes")
        #expect(try silent.end() == 64)
        let interrupted = try terminal("done", "tag:all")
        try interrupted.expect("[Y/n] ")
        interrupted.type("\u{3}")
        #expect(try interrupted.end() == 130)
        #expect(try !texts()[0].contains("complete"))
    }
}
