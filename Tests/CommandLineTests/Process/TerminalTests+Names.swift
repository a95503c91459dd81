import TestSupport
import Testing

/// Todos that the user names by words, and lists, at a terminal.
extension TerminalTests {
    private func addMilk() throws {
        try folder.write("id: 7c1e\ntext: Buy milk\n", to: "phone/buy-milk.yaml")
    }

    @Test(arguments: [("y\n", true), ("n\n", false), ("\n", false), ("\u{4}", false)])
    func `what words find is deleted after a question`(answer: String, isDeleted: Bool) throws {
        try addMilk()
        let terminal = try prompt("rm", "milk")
        try terminal.expect("delete \"Buy milk\" (buy-milk.yaml)? [y/N] ")
        terminal.type(answer)
        #expect(try terminal.end() == (isDeleted ? 0 : 1))
        #expect(terminal.transcript.contains(isDeleted ? "deleted  Buy milk\n" : "nothing was changed\n"))
        #expect(((try? folder.read("phone/buy-milk.yaml")) == nil) == isDeleted)
    }

    @Test(arguments: ["7c", "7c1e", "buy-milk", "buy-milk.yaml"])
    func `a handle, an id or a path needs no question`(name: String) throws {
        try addMilk()
        let terminal = try prompt("rm", name)
        #expect(try terminal.end() == 0)
        #expect(terminal.transcript == "deleted  Buy milk\n")
    }

    @Test func `Ctrl-C at the question about what words find deletes nothing`() throws {
        try addMilk()
        let terminal = try prompt("rm", "milk")
        try terminal.expect("[y/N] ")
        terminal.type("\u{3}")
        #expect(try terminal.end() == 130)
        #expect(terminal.transcript.contains("interrupted: nothing was changed"))
        #expect(try folder.read("phone/buy-milk.yaml").contains("Buy milk"))
    }

    @Test func `without a terminal, only --yes does what words find`() throws {
        try addMilk()
        let refused = try Program.todosync("rm", "milk", in: phone)
        #expect(refused.status == 64)
        #expect(
            refused.errors == """
                error: this would delete "Buy milk" (buy-milk.yaml); nothing was changed
                hint: add --yes to confirm, or type a handle or a path

                """)
        for arguments in [["discard", "hello world"], ["resolve", "--use", "local", "hello world"]] {
            #expect(try Program.todosync(arguments, in: phone).status == 64, "\(arguments)")
        }
        let deleted = try Program.todosync("rm", "--yes", "milk", in: phone)
        #expect(deleted.status == 0 && deleted.output == "deleted  Buy milk\n", "\(deleted.errors)")
        let discarded = try Program.todosync("discard", "--yes", "hello world", in: phone)
        #expect(discarded.status == 0, "\(discarded.errors)")
    }

    @Test(arguments: [60, 80, 200])
    func `a list fits into the terminal`(columns: Int) throws {
        let text = "A text that is far too long for a terminal of eighty columns, 牛乳, and goes on and on"
        let fields = "due: 2026-11-20\npriority: high\ntags: [home, shop]\n"
        try folder.write("id: 7c1e\ntext: '\(text)'\n\(fields)", to: "phone/long.yaml")
        let environment = ["NO_COLOR": "1"]
        let terminal = try TerminalSession(
            ["list"], in: phone, environment: environment, size: (lines: 24, columns: columns))
        #expect(try terminal.end() == 0)
        let lines = terminal.transcript.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("7c  A text that is ") && lines[0].contains("overdue 1d  high"))
        #expect(lines[0].contains("home, shop") == (columns == 200))
        #expect(lines.allSatisfy { $0.count <= columns })
    }
}
