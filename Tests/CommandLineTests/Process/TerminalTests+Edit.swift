import Foundation
import Testing

/// The editor that `edit` opens, and the questions that `edit` asks afterward.
extension TerminalTests {
    @Test func `an invalid result is offered for another edit`() throws {
        try folder.write(
            "grep -q mended \"$1\" && sed -i s/text/text:/ \"$1\" || sed -i 's/text:.*/text mended/' \"$1\"\n",
            to: "editor.sh")
        let terminal = try prompt("edit", "hello.yaml", editor: "sh \(folder.path)/editor.sh")
        try terminal.expect("hello.yaml:")
        try terminal.expect("edit again? [Y/n] ")
        terminal.type("\n")
        #expect(try terminal.end() == 0)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: mended\n")
    }

    @Test func `an invalid result that is to stay is kept`() throws {
        let terminal = try prompt("edit", "hello.yaml", editor: "sed -i s/text:/text/")
        try terminal.expect("edit again? [Y/n] ")
        terminal.type("n\n")
        #expect(try terminal.end() == 65)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext Hello world 13\n")
    }

    @Test func `a conflicted todo opens with its markers, and waits as long as it has some`() throws {
        _ = try Program.todosync("push", in: phone)
        let terminal = try prompt("edit", "hello.yaml", editor: "sed -i s/13/14/")
        #expect(try terminal.end() == 1)
        #expect(!terminal.transcript.contains("resolve it now?"))
        #expect(terminal.transcript.contains("hint: run \"todosync resolve -i hello.yaml\" to choose"))
        #expect(
            try folder.read("phone/hello.yaml").contains(/<<<<<<< local \(\S+\)\ntext: Hello world 14\n/))
    }

    /// Removes the markers and the remote's line.
    private static let decidingEditor = "sed -i -e '/^[<=>]/d' -e /23/d -e s/13/1323/"

    @Test(arguments: ["\n", "y\n"])
    func `a conflicted todo without markers is resolved if the user agrees`(answer: String) throws {
        _ = try Program.todosync("push", in: phone)
        let terminal = try prompt("edit", "hello.yaml", editor: Self.decidingEditor)
        try terminal.expect("hello.yaml has no conflict markers left\nresolve it now? [Y/n] ")
        terminal.type(answer)
        try terminal.expect("resolved  he  Hello world 1323  hello.yaml  as it is in the file")
        #expect(try terminal.end() == 0)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: Hello world 1323\n")
        #expect(try Program.todosync("push", in: phone).status == 0)
    }

    @Test func `a conflicted todo without markers waits if the user declines`() throws {
        _ = try Program.todosync("push", in: phone)
        let terminal = try prompt("edit", "hello.yaml", editor: Self.decidingEditor)
        try terminal.expect("resolve it now? [Y/n] ")
        terminal.type("n\n")
        try terminal.expect("hint: run \"todosync resolve\" to accept the file")
        #expect(try terminal.end() == 1)
        let status = try Program.todosync("status", "--json", in: phone)
        #expect(status.output.contains("\"markers\": false"))
    }

    @Test func `without a terminal a conflicted todo waits, with the next command`() throws {
        _ = try Program.todosync("push", in: phone)
        let result = try Program.todosync(
            "edit", "hello.yaml", in: phone,
            environment: ["TODOSYNC_SEED": "", "EDITOR": Self.decidingEditor])
        #expect(result.status == 1)
        #expect(
            result.errors == """
                conflict: hello.yaml is not resolved yet
                hint: run "todosync resolve" to accept the file

                """)
        #expect(try Program.todosync("resolve", in: phone).status == 0)
    }

    @Test func `an answer that is not a todo stays in the file, with the position of the mistake`() throws {
        _ = try Program.todosync("push", in: phone)
        let terminal = try prompt("edit", "hello.yaml", editor: Self.decidingEditor + " -e s/text:/text/")
        try terminal.expect("resolve it now? [Y/n] ")
        terminal.type("y\n")
        try terminal.expect("unresolved: hello.yaml:3:1: ")
        #expect(try terminal.end() == 1)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext Hello world 1323\n")
    }

    @Test func `Ctrl-C in the editor is the editor's`() throws {
        let editor = "trap 'echo caught' INT; echo ready; sleep 0.3 & wait; wait; true"
        let terminal = try prompt("edit", "hello.yaml", editor: editor)
        try terminal.expect("ready")
        terminal.type("\u{3}")
        try terminal.expect("caught")
        #expect(try terminal.end() == 0)
    }
}
