import Foundation
import TestSupport
import Testing

extension TerminalTests {
    /// Creates todos on the phone, edits their files, and pushes all edits at once.
    private func edit(_ count: Int) throws {
        for number in 1...count { try folder.write("text: before\n", to: "phone/\(number).yaml") }
        try run(["sync", "--on-conflict", "local"])
        for number in 1...count {
            let text = try folder.read("phone/\(number).yaml")
            try folder.write(
                text.replacingOccurrences(of: "before", with: "after"), to: "phone/\(number).yaml")
        }
        try run(["push"])
    }

    private func run(_ arguments: [String]) throws {
        let result = try Program.todosync(arguments, in: phone, environment: ["TODOSYNC_SEED": ""])
        try #require(result.status == 0, "\(result.errors)")
    }

    @Test(arguments: ["\n", "n\n", "\u{4}"])
    func `undo asks above three todos, and so does redo`(_ answer: String) throws {
        try edit(4)
        let undo = try prompt("undo")
        try undo.expect("  after  1.yaml  text\nwould change  ")
        try undo.expect("  after  2.yaml  text\n")
        try undo.expect("undo these 4 changes of ")
        try undo.expect(" (todosync push)? [Y/n] ")
        undo.type(answer)
        let isUndone = answer == "\n"
        #expect(try undo.end() == (isUndone ? 0 : 1))
        #expect(undo.transcript.contains("nothing was changed") == !isUndone)
        #expect(undo.transcript.contains("undid ") == isUndone)
        #expect(try folder.read("phone/4.yaml").contains("before") == isUndone)
        guard isUndone else { return }
        let redo = try prompt("redo")
        try redo.expect("redo these 4 changes of ")
        redo.type("y\n")
        #expect(try redo.end() == 0)
        #expect(try folder.read("phone/4.yaml").contains("after"))
    }

    @Test func `Ctrl-C at the question changes nothing`() throws {
        try edit(4)
        let undo = try prompt("undo")
        try undo.expect("[Y/n] ")
        undo.type("\u{3}")
        #expect(try undo.end() == 130)
        #expect(try folder.read("phone/4.yaml").contains("after"))
    }

    @Test func `three todos are undone without a question, and a dry run never asks`() throws {
        try edit(4)
        let dry = try prompt("undo", "--dry-run")
        #expect(try dry.end() == 0)
        #expect(
            dry.transcript.contains(
                /would change  \S+  after  4\.yaml  text\ndry run: nothing was changed\n/))
        #expect(try folder.read("phone/4.yaml").contains("after"))
        try edit(3)
        let undo = try prompt("undo")
        #expect(try undo.end() == 0)
        #expect(undo.transcript.contains(#/\nchanged  \S+  after  3\.yaml  text\nundid /#))
    }

    @Test func `a restoration of the folder asks, and without a terminal nobody is asked`() throws {
        try edit(4)
        try run(["done", "1.yaml", "2.yaml", "3.yaml", "4.yaml"])
        let log = try Program.todosync("log", "--json", in: phone).output
        let newest = try #require(log.split(separator: "\"operation\": \"").dropFirst().first?.prefix(12))
        let restore = try prompt("restore", "--all", "--before", String(newest))
        try restore.expect("restore these 4 todos as they were before ")
        restore.type("n\n")
        #expect(try restore.end() == 1)
        let result = try Program.todosync("restore", "--all", "--before", String(newest), in: phone)
        #expect(result.status == 0)
        #expect(result.output.contains("\nrestored 4 todos to the state before "))
        #expect(try !folder.read("phone/4.yaml").contains("complete"))
    }

    @Test(arguments: [
        (["restore"], "restore needs either a todo or --all"),
        (["restore", "--all"], "--all needs --before with an operation"),
        (["restore", "--all", "--to", "1"], "--all needs --before, not --to"),
        (["restore", "a", "--all", "--before", "1"], "use either a todo or --all"),
        (["restore", "a", "--before", "1"], "--before works only with --all"),
        (["restore", "a", "--to", "1", "--dry-run"], "--dry-run works only with --all"),
    ])
    func `options of restore that don't go together are refused`(_ arguments: [String], _ words: String)
        throws
    {
        let result = try Program.todosync(arguments, in: phone)
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("error: \(words)"))
    }
}
