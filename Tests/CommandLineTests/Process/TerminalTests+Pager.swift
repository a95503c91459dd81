import Testing

extension TerminalTests {
    /// Shows `hello.yaml` at a terminal with a pager.
    private func show(
        _ arguments: String..., pager: String?, more: [String: String] = [:]
    ) throws -> (status: Int32, text: String) {
        var environment = more
        environment["PAGER"] = pager
        let terminal = try TerminalSession(
            arguments.isEmpty ? ["show", "hello.yaml"] : arguments, in: phone,
            environment: environment.merging(["TERM": "xterm"]) { $1 })
        return (try terminal.end(), terminal.transcript)
    }

    private static let file = "id: hello\ntext: Hello world 13\n"

    @Test(arguments: [
        ("sed s/^/:/", ":id: hello\n:text: Hello world 13\n"), ("cat", file), ("", file),
        ("printf %s\\\\n \"$LESS\" \"$LV\"; cat >&2", "FRX\n-c\n" + file),
    ])
    func `long output goes through the pager`(pager: String, text: String) throws {
        #expect(try show(pager: pager) == (0, text))
    }

    @Test(arguments: ["head -n 1", "true", "exit 3"])
    func `a pager that is closed early is not an error`(pager: String) throws {
        for number in 1...40 {
            try folder.write(
                "id: n\(number)\ntext: \(String(repeating: "long ", count: 600))\n",
                to: "phone/\(number).yaml")
        }
        #expect(try show("diff", pager: pager).status == 0)
    }

    @Test func `the settings of less are the user's, if there are any`() throws {
        let shown = try show(pager: "printf %s\\\\n \"$LESS\"; cat >&2", more: ["LESS": "-S"])
        #expect(shown == (0, "-S\n" + Self.file))
    }

    @Test func `without the pager, the output is printed`() throws {
        let shown = try show(pager: "no-such-pager")
        #expect(shown.status == 0)
        #expect(shown.text.hasSuffix(Self.file))
        let away = try show("--no-pager", "show", "hello.yaml", pager: "sed s/^/:/")
        #expect(away == (0, Self.file))
    }

    @Test(arguments: [
        ["log"], ["diff"], ["list"], ["explain", "hello.yaml"], ["status", "--help"], ["help", "push"],
    ])
    func `the commands with long output, and help, are paged`(arguments: [String]) throws {
        // There is a merge to explain.
        _ = try Program.todosync("pull", in: phone, environment: ["TODOSYNC_SEED": ""])
        let terminal = try TerminalSession(arguments, in: phone, environment: ["PAGER": "sed s/^/:/"])
        #expect(try terminal.end() == 0)
        #expect(terminal.transcript.hasPrefix(":"))
        let piped = try Program.todosync(arguments, in: phone, environment: ["PAGER": "sed s/^/:/"])
        #expect(!piped.output.hasPrefix(":"))
    }

    @Test func `at a terminal a log is one screenful, unless the user sets a limit`() throws {
        for number in 1...9 { _ = try Program.todosync("set", "hello.yaml", "n=\(number)", in: phone) }
        func log(_ arguments: String...) throws -> Int {
            let terminal = try TerminalSession(["log", "--oneline"] + arguments, in: phone, size: (6, 80))
            #expect(try terminal.end() == 0)
            #expect(terminal.transcript.contains("more (--all)\n") == arguments.isEmpty)
            return terminal.transcript.split(separator: "\n").count
        }
        #expect(try log() == 5)
        #expect(try log("--all") == 11)
        #expect(try log("-n", "7") == 7)
        #expect(try log("--since", "1d") == 11)
        #expect(try log("--since", "2026-11-22") == 1)
    }
}
