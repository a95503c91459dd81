import TestSupport
import Testing

extension TerminalTests {
    @Test(arguments: [
        ["status"], ["set", "other.yaml", "priority=high"], ["sync"], ["gc"], ["push", "other.yaml"],
    ])
    func `other commands run while a question waits`(_ command: [String]) throws {
        try folder.write("id: other\ntext: Other\n", to: "phone/other.yaml")
        let terminal = try prompt("sync", "--on-conflict", "prompt")
        try terminal.expect(Self.question)
        let result = try Program.todosync(
            command + ["--lock-timeout", "0"].filter { _ in command != ["status"] }, in: phone,
            environment: ["TODOSYNC_SEED": ""])
        #expect(result.status == (command == ["sync"] ? 1 : 0), "\(result.errors)")
        terminal.type("r\n")
        #expect(try terminal.end() == 0, "\(terminal.transcript)")
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: Hello world 23\n")
        #expect(try folder.read("phone/other.yaml").hasPrefix("id: other\ntext: Other\n"))
        #expect(try Program.todosync("fsck", in: phone).status == 0)
        let status = try Program.todosync("status", "--json", in: phone)
        #expect(status.output.contains("\"conflicts\": []"))
    }

    @Test func `other commands run while an editor is open that a question has opened`() throws {
        let script = """
            \(TestedBinary.path) sync; \(TestedBinary.path) set other.yaml priority=high
            printf 'id: hello\\ntext: both\\n' > "$1"

            """
        try folder.write("id: other\ntext: Other\n", to: "phone/other.yaml")
        try folder.write(script, to: "editor.sh")
        let terminal = try prompt("sync", "--on-conflict", "prompt", editor: "sh \(folder.path)/editor.sh")
        try terminal.expect(Self.question)
        terminal.type("e\n")
        #expect(try terminal.end() == 0, "\(terminal.transcript)")
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: both\n")
        #expect(try folder.read("phone/other.yaml") == "id: other\ntext: Other\npriority: high\n")
        #expect(try Program.todosync("status", "--json", in: phone).output.contains("\"clean\": true"))
    }

    @Test func `what changed while the question waited is asked about again`() throws {
        let terminal = try prompt("sync", "--on-conflict", "prompt")
        try terminal.expect(Self.question)
        let result = try Program.todosync(
            "set", "hello.yaml", "text=Hello world 14", in: phone, environment: ["TODOSYNC_SEED": ""])
        #expect(result.status == 0)
        terminal.type("l\n")
        try terminal.expect("The todo has changed here since you answered; this is its conflict now.")
        try terminal.expect("text: Hello world 14")
        try terminal.expect(Self.question)
        terminal.type("l\n")
        #expect(try terminal.end() == 0)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: Hello world 14\n")
    }

    @Test func `other commands run while resolve asks`() throws {
        _ = try Program.todosync("push", in: phone)
        let terminal = try prompt("resolve", "--interactive")
        try terminal.expect(Self.question)
        let result = try Program.todosync("sync", "--lock-timeout", "0", in: phone)
        #expect(result.status == 1, "\(result.errors)")
        terminal.type("r\n")
        #expect(try terminal.end() == 0)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: Hello world 23\n")
    }
}
