import Foundation
import TestSupport
import Testing

extension TerminalTests {
    @Test(arguments: ["push", "sync"])
    func `the first push asks before it writes ids into files`(command: String) throws {
        try makeFirstFolder()
        let push = try prompt("-C", "../first", command)
        try push.expect("2 files here are todos without an id:\n  a.yaml\n  b.yaml\n")
        try push.expect("write an id into each, and send them? [Y/n] ")
        push.type("n\n")
        #expect(try push.end() == 1)
        #expect(push.transcript.contains("nothing was changed or sent"))
        #expect(try folder.read("first/a.yaml") == "text: A\n")
        let again = try prompt("-C", "../first", command)
        try again.expect("[Y/n] ")
        again.type("\n")
        #expect(try again.end() == 0)
        #expect(try folder.read("first/a.yaml").hasPrefix("id: "))
        try folder.write("text: C\n", to: "first/c.yaml")
        let later = try prompt("-C", "../first", command)
        #expect(try later.end() == 0)
        #expect(!later.transcript.contains("[Y/n]"))
        #expect(try folder.read("first/c.yaml").hasPrefix("id: "))
    }

    @Test func `Ctrl-C at the first push changes nothing`() throws {
        try makeFirstFolder()
        let push = try prompt("-C", "../first", "push")
        try push.expect("[Y/n] ")
        push.type("\u{3}")
        #expect(try push.end() == 130)
        #expect(try folder.read("first/a.yaml") == "text: A\n")
    }

    @Test func `nothing is asked where there is no terminal, or where todosync made the files`() throws {
        try makeFirstFolder()
        #expect(try Program.todosync("-C", "../first", "push", in: phone).status == 0)
        _ = try Program.todosync("init", "../second", in: phone)
        _ = try Program.todosync("-C", "../second", "remote", "add", "origin", "../store", in: phone)
        _ = try Program.todosync("-C", "../second", "add", "Milk", in: phone)
        let push = try prompt("-C", "../second", "push")
        #expect(try push.end() == 0)
        #expect(!push.transcript.contains("[Y/n]"))
    }

    /// Creates a working directory with two files that no command has seen.
    private func makeFirstFolder() throws {
        _ = try Program.todosync("init", "../first", in: phone)
        _ = try Program.todosync("-C", "../first", "remote", "add", "origin", "../store", in: phone)
        try folder.write("text: A\n", to: "first/a.yaml")
        try folder.write("text: B\n", to: "first/b.yaml")
    }
}
