import Foundation
import TestSupport
import Testing

/// What happens at a terminal: questions, editors and Ctrl-C.
@Suite(.ownThreads) struct TerminalTests {
    let folder: ThrowAwayFolder
    let phone: String
    private let laptop: String

    /// Two working directories of one store; `hello.yaml` is in both, and the laptop has changed and pushed
    /// it.
    init() throws {
        folder = try ThrowAwayFolder()
        phone = folder.path + "/phone"
        laptop = folder.path + "/laptop"
        try Self.run(["init", "--bare", "store"], in: folder.path)
        try Self.run(["clone", "store", "phone"], in: folder.path)
        try folder.write("id: hello\ntext: Hello world 3\n", to: "phone/hello.yaml")
        try Self.run(["push"], in: phone)
        try Self.run(["clone", "store", "laptop"], in: folder.path)
        try Self.run(["set", "hello.yaml", "text=Hello world 23"], in: laptop)
        try Self.run(["push"], in: laptop)
        try Self.run(["set", "hello.yaml", "text=Hello world 13"], in: phone)
    }

    private static func run(_ arguments: [String], in folder: String) throws {
        // Without the seed, because identical commands would create the same identifiers.
        let result = try Program.todosync(arguments, in: folder, environment: ["TODOSYNC_SEED": ""])
        try #require(result.status == 0, "\(arguments): \(result.errors)")
    }

    func prompt(_ arguments: String..., editor: String = "false") throws -> TerminalSession {
        let environment = ["TODOSYNC_SEED": "", "EDITOR": editor, "NO_COLOR": "1"]
        return try TerminalSession(arguments, in: phone, environment: environment)
    }

    static let question = "[q]uit, or [?] for help? "

    // MARK: --on-conflict prompt

    @Test func `the question shows both sides, and local is sent`() throws {
        let terminal = try prompt("push", "--on-conflict", "prompt")
        try terminal.expect(
            """
            Conflict in hello.yaml: Hello world 13
            both sides changed it
            base:
                text: Hello world 3
            local:
                text: Hello world 13
                                  ~~
            remote:
                text: Hello world 23
                                  ~~
            use [l]ocal, [r]emote, [e]dit, [s]kip, \(Self.question)
            """)
        terminal.type("l\n")
        #expect(try terminal.end() == 0)
        try Self.run(["pull"], in: laptop)
        #expect(try folder.read("laptop/hello.yaml") == "id: hello\ntext: Hello world 13\n")
    }

    @Test func `remote is taken, and nothing is pending then`() throws {
        let terminal = try prompt("sync", "--on-conflict", "prompt")
        try terminal.expect(Self.question)
        terminal.type("remote\n")
        #expect(try terminal.end() == 0)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: Hello world 23\n")
        let status = try Program.todosync("status", "--json", in: phone)
        #expect(status.output.contains("\"clean\": true"))
    }

    @Test func `what was chosen before is offered`() throws {
        _ = try Program.todosync("pull", in: phone, environment: ["TODOSYNC_SEED": ""])
        try folder.write("id: hello\ntext: both\n", to: "phone/hello.yaml")
        try Self.run(["resolve"], in: phone)
        let memory = try folder.read("phone/.todosync/resolutions")
        try Self.run(["undo"], in: phone)
        try Self.run(["resolve", "--abort"], in: phone)
        try folder.write(memory, to: "phone/.todosync/resolutions")
        let terminal = try prompt("push", "--on-conflict", "prompt")
        let question = "use [l]ocal, [r]emote, [a]gain as before, [e]dit, [s]kip, \(Self.question)"
        try terminal.expect("as before:\n    text: both\n\(question)")
        terminal.type("x\n")
        try terminal.expect("a  resolve it as you resolved the same conflict before")
        try terminal.expect(question)
        terminal.type("a\n")
        #expect(try terminal.end() == 0)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: both\n")
    }

    @Test func `what is left in the editor is the answer`() throws {
        let terminal = try prompt(
            "push", "--on-conflict", "prompt", editor: "sed -i -e '/^[<=>|]/d' -e /23/d -e s/13/1323/")
        try terminal.expect(Self.question)
        terminal.type("e\n")
        #expect(try terminal.end() == 0)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: Hello world 1323\n")
    }

    @Test func `an editor that fails loses no answer, and the question comes again`() throws {
        try makeAnother()
        let terminal = try prompt("sync", "--on-conflict", "prompt")
        try terminal.expect(Self.question)
        terminal.type("r\n")
        try terminal.expect(Self.question)
        terminal.type("e\n")
        try terminal.expect("error: the editor 'false' ended with an error")
        terminal.type("l\n")
        #expect(try terminal.end() == 0)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: there\n")
        #expect(try folder.read("phone/more.yaml") == "id: more\ntext: here\n")
    }

    @Test func `markers that are left are no answer`() throws {
        let terminal = try prompt("push", "--on-conflict", "prompt", editor: "true")
        try terminal.expect(Self.question)
        terminal.type("e\n")
        try terminal.expect("Your text still has conflict markers; [e]dit opens it again.")
        try terminal.expect(Self.question)
        terminal.type("s\n")
        #expect(try terminal.end() == 1)
    }

    @Test func `an answer that is no todo can be corrected`() throws {
        let script = """
            grep -q draft "$1" && text=mended || text='[draft'
            printf 'id: hello\\ntext: %s\\n' "$text" > "$1"

            """
        try folder.write(script, to: "editor.sh")
        let terminal = try prompt("push", "--on-conflict", "prompt", editor: "sh \(folder.path)/editor.sh")
        try terminal.expect(Self.question)
        terminal.type("e\n")
        try terminal.expect("The edit can't be used: ")
        try terminal.expect(Self.question)
        terminal.type("e\n")
        #expect(try terminal.end() == 0)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: mended\n")
    }

    @Test(arguments: ["s\n", "q\n", "\u{4}"])
    func `skip, quit and the end of the input change nothing`(answer: String) throws {
        let terminal = try prompt("push", "--on-conflict", "prompt")
        try terminal.expect(Self.question)
        terminal.type(answer)
        #expect(try terminal.end() == 1)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: Hello world 13\n")
        let status = try Program.todosync("status", "--json", in: phone)
        #expect(status.output.contains("\"operation\": \"update\""))
        #expect(status.output.contains("\"conflicts\": []"))
    }

    @Test func `another answer is asked for again`() throws {
        let terminal = try prompt("push", "--on-conflict", "prompt")
        try terminal.expect(Self.question)
        terminal.type("what?\n")
        try terminal.expect("q  stop asking; the answers that you gave are kept")
        try terminal.expect(Self.question)
        terminal.type("L\n")
        #expect(try terminal.end() == 0)
    }

    @Test func `while the user decides the remote moves on, and the question comes again`() throws {
        let terminal = try prompt("push", "--on-conflict", "prompt")
        try terminal.expect(Self.question)
        try Self.run(["set", "hello.yaml", "text=Hello world 33"], in: laptop)
        try Self.run(["push"], in: laptop)
        terminal.type("l\n")
        try terminal.expect("The remote has changed again; this is its new value.")
        try terminal.expect("text: Hello world 33")
        try terminal.expect(Self.question)
        terminal.type("l\n")
        #expect(try terminal.end() == 0)
        try Self.run(["pull"], in: laptop)
        #expect(try folder.read("laptop/hello.yaml") == "id: hello\ntext: Hello world 13\n")
    }

    @Test func `Ctrl-C ends the question and harms nothing`() throws {
        let terminal = try prompt("push", "--on-conflict", "prompt")
        try terminal.expect(Self.question)
        terminal.type("\u{3}")
        #expect(try terminal.end() == 130)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: Hello world 13\n")
        try Self.run(["push", "--on-conflict", "local"], in: phone)
    }

    /// Creates a second conflict, in `more.yaml`.
    private func makeAnother() throws {
        try folder.write("id: more\ntext: More 3\n", to: "laptop/more.yaml")
        try Self.run(["push"], in: laptop)
        try Self.run(["pull", "--on-conflict", "local"], in: phone)
        try Self.run(["push"], in: phone)
        try Self.run(["pull"], in: laptop)
        for (machine, text) in [(laptop, "there"), (phone, "here")] {
            for name in ["hello.yaml", "more.yaml"] {
                try Self.run(["set", name, "text=\(text)"], in: machine)
            }
        }
        try Self.run(["push"], in: laptop)
    }

    @Test(arguments: ["pull", "sync"])
    func `Ctrl-C ends the questions, and the answers given before it count`(_ command: String) throws {
        try makeAnother()
        let terminal = try prompt(command, "--on-conflict", "prompt")
        try terminal.expect("Conflict (1 of 2) in hello.yaml: here")
        try terminal.expect(Self.question)
        terminal.type("r\n")
        try terminal.expect("Conflict (2 of 2) in more.yaml: here")
        try terminal.expect(Self.question)
        terminal.type("\u{3}")
        try terminal.expect("run the same command again for the rest")
        #expect(try terminal.end() == 130)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: there\n")
        #expect(try folder.read("phone/more.yaml") == "id: more\ntext: here\n")
        try Self.run(["sync", "--on-conflict", "local"], in: phone)
        #expect(try folder.read("phone/more.yaml") == "id: more\ntext: here\n")
    }

    @Test func `without a terminal, nobody is asked`() throws {
        for arguments in [["push", "--on-conflict", "prompt"], ["resolve", "--interactive"]] {
            let result = try Program.todosync(arguments, in: phone)
            #expect(result.status == 64)
            #expect(result.errors.hasPrefix("error: can't ask without a terminal\nhint: "))
        }
    }

    // MARK: resolve --interactive

    @Test func `an open conflict is asked about`() throws {
        _ = try Program.todosync("push", in: phone)
        let terminal = try prompt("resolve", "--interactive")
        try terminal.expect("text: Hello world 23\n")
        try terminal.expect(Self.question)
        terminal.type("r\n")
        #expect(try terminal.end() == 0)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: Hello world 23\n")
    }

    @Test func `the rest is answered the same way`() throws {
        try makeAnother()
        _ = try Program.todosync("pull", in: phone)
        let terminal = try prompt("resolve", "--interactive")
        try terminal.expect("Conflict (1 of 2) in hello.yaml: here")
        terminal.type("w\n")
        try terminal.expect("l  take the local lines")
        terminal.type("r\n")
        try terminal.expect("Conflict (2 of 2) in more.yaml: here")
        try terminal.expect("the rest the same [w]ay, \(Self.question)")
        terminal.type("w\n")
        #expect(try terminal.end() == 0)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: there\n")
        #expect(try folder.read("phone/more.yaml") == "id: more\ntext: there\n")
    }

    @Test func `quit keeps the answers given, and asks nothing more`() throws {
        try makeAnother()
        _ = try Program.todosync("pull", in: phone)
        let terminal = try prompt("resolve", "--interactive")
        try terminal.expect(Self.question)
        terminal.type("remote\n")
        try terminal.expect(Self.question)
        terminal.type("q\n")
        try terminal.expect("unresolved: more.yaml: skipped")
        #expect(try terminal.end() == 1)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: there\n")
    }

    @Test func `skip leaves the markers`() throws {
        _ = try Program.todosync("push", in: phone)
        let before = try folder.read("phone/hello.yaml")
        let terminal = try prompt("resolve", "-i", "hello.yaml")
        try terminal.expect(Self.question)
        terminal.type("s\n")
        #expect(try terminal.end() == 1)
        #expect(try folder.read("phone/hello.yaml") == before)
    }

    @Test func `Ctrl-C at a question leaves what was resolved before it`() throws {
        try makeAnother()
        _ = try Program.todosync("pull", in: phone)
        let terminal = try prompt("resolve", "--interactive")
        try terminal.expect(Self.question)
        terminal.type("r\n")
        try terminal.expect(Self.question)
        terminal.type("\u{3}")
        try terminal.expect("interrupted: 1 conflict resolved; run the same command again for the others")
        #expect(!terminal.transcript.contains("skipped"))
        #expect(try terminal.end() == 130)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: there\n")
        #expect(try folder.read("phone/more.yaml").contains("<<<<<<< local"))
    }

    @Test func `Ctrl-C in an editor that a question has opened is the editor's`() throws {
        let editor = "trap 'echo caught' INT; echo ready; sleep 0.3 & wait; wait; true"
        let terminal = try prompt("push", "--on-conflict", "prompt", editor: editor)
        try terminal.expect(Self.question)
        terminal.type("e\n")
        try terminal.expect("ready")
        terminal.type("\u{3}")
        try terminal.expect("caught")
        try terminal.expect("Your text still has conflict markers; [e]dit opens it again.")
        try terminal.expect(Self.question)
        terminal.type("l\n")
        #expect(try terminal.end() == 0)
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a signal that ends the command ends the editor first`(_ signal: Int32) throws {
        let name = signal == SIGTERM ? "TERM" : "HUP"
        let editor = "trap 'echo caught; exit 1' \(name); echo ready; while :; do sleep 0.1; done; true"
        let terminal = try prompt("push", "--on-conflict", "prompt", editor: editor)
        try terminal.expect(Self.question)
        terminal.type("e\n")
        try terminal.expect("ready")
        terminal.signal(signal)
        try terminal.expect("caught")
        try terminal.expect("interrupted: ")
        #expect(try terminal.end() == 128 + signal)
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: Hello world 13\n")
    }

    // MARK: resolve --use

    @Test(arguments: ["y", "n"])
    func `a side for several conflicts needs a yes if no todo is named`(answer: String) throws {
        try makeAnother()
        _ = try Program.todosync("pull", in: phone)
        let before = try folder.read("phone/hello.yaml") + folder.read("phone/more.yaml")
        let terminal = try prompt("resolve", "--use", "remote")
        try terminal.expect(
            "  hello.yaml: text\n  more.yaml: text\nuse the remote side for 2 conflicts? [y/N] ")
        terminal.type(answer + "\n")
        #expect(try terminal.end() == (answer == "y" ? 0 : 1))
        let there = "id: hello\ntext: there\nid: more\ntext: there\n"
        let after = try folder.read("phone/hello.yaml") + folder.read("phone/more.yaml")
        #expect(after == (answer == "y" ? there : before))
    }

    @Test func `without a terminal, a side for several conflicts needs --all`() throws {
        try makeAnother()
        _ = try Program.todosync("pull", in: phone)
        let refused = try Program.todosync("resolve", "--use", "remote", in: phone)
        #expect(refused.status == 64)
        #expect(
            refused.errors == """
                error: this would use the remote side for 2 conflicts; nothing was changed
                  hello.yaml: text
                  more.yaml: text
                hint: name a todo, or add --all; "todosync resolve -i" asks about each conflict

                """)
        #expect(try folder.read("phone/more.yaml").contains("<<<<<<< local"))
        #expect(try Program.todosync("resolve", "--use", "remote", "--all", in: phone).status == 0)
        #expect(try folder.read("phone/more.yaml") == "id: more\ntext: there\n")
        for arguments in [["resolve", "--all"], ["resolve", "--use", "local", "--all", "hello.yaml"]] {
            #expect(try Program.todosync(arguments, in: phone).status == 64)
        }
    }

    // MARK: resolve --tool

    /// Runs `resolve` with the tools in the user's git configuration; `merge.tool` names the first one.
    private func resolve(_ arguments: String...) throws -> Program.Result {
        try folder.write(
            """
            [merge]
                tool = concatenates
            [mergetool "concatenates"]
                cmd = "cat $BASE $LOCAL $REMOTE > seen && sed s/23/36/ $REMOTE > $MERGED"
                trustExitCode = true
            [mergetool "gives-up"]
                cmd = false
                trustExitCode = true
            [mergetool "removes-it"]
                cmd = rm $MERGED
                trustExitCode = true
            [mergetool "writes-another-id"]
                cmd = "sed s/hello/other/ $LOCAL > $MERGED"
                trustExitCode = true
            [mergetool "leaves-markers"]
                cmd = true
                trustExitCode = true
            [mergetool "leaves-half-a-conflict"]
                cmd = "cat \\"$LOCAL\\" > \\"$MERGED\\"; echo '<<<<<<< x' >> \\"$MERGED\\""
                trustExitCode = true

            """, to: ".gitconfig")
        return try Program.todosync(
            ["resolve"] + arguments, in: phone, environment: ["TODOSYNC_SEED": "", "HOME": folder.path])
    }

    @Test func `the tool that git is set to is given all sides, and what it makes is taken`() throws {
        _ = try Program.todosync("push", in: phone)
        let result = try resolve("hello.yaml", "--tool")
        #expect(result.status == 0, "\(result.errors)")
        let sides = ["3", "13", "23"].map { "id: hello\ntext: Hello world \($0)\n" }
        #expect(try folder.read("phone/seen") == sides.joined())
        #expect(try folder.read("phone/hello.yaml") == "id: hello\ntext: Hello world 36\n")
    }

    @Test(arguments: [
        ("gives-up", "the merge tool did not resolve it"),
        ("removes-it", "the merge tool did not resolve it"),
        ("writes-another-id", "the answer has a different id, other"),
        ("leaves-markers", "hello.yaml:2:1: the merge tool left conflict markers"),
        ("leaves-half-a-conflict", "the merge tool left conflict markers"),
    ])
    func `what a tool does not resolve stays as it is`(_ tool: String, _ reason: String) throws {
        _ = try Program.todosync("push", in: phone)
        let before = try folder.read("phone/hello.yaml")
        let result = try resolve("--tool", tool)
        #expect(result.status == 1)
        #expect(result.errors.contains(reason))
        #expect(try folder.read("phone/hello.yaml") == before)
    }

    @Test func `a tool that git does not have is refused`() throws {
        let result = try resolve("--tool", "nonsense")
        #expect(result.status == 64)
        #expect(
            result.errors.hasPrefix(
                "error: git does not support the merge tool nonsense\nhint: run \"git mergetool --tool-help\""
            ))
    }

    // MARK: Looks

    @Test func `colors are for terminals, and not for those who do not want them`() throws {
        let environment = ["TODOSYNC_SEED": ""]
        let colored = try TerminalSession(["status"], in: phone, environment: environment)
        #expect(try colored.end() == 0)
        #expect(colored.transcript.contains("\u{1B}[33mchanged\u{1B}[0m"))
        #expect(try Program.todosync("status", "--color", "always", in: phone).output.contains("\u{1B}[33m"))
        #expect(try !Program.todosync("status", in: phone).output.contains("\u{1B}"))
    }

    @Test(arguments: [
        ("auto", ["NO_COLOR": "1"], false), ("always", ["NO_COLOR": "1"], true),
        ("auto", ["NO_COLOR": ""], true),
        ("auto", ["TERM": "dumb"], false), ("auto", ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
        ("auto", ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false), ("never", ["CLICOLOR_FORCE": "1"], false),
        ("auto", ["TERM": "dumb", "CLICOLOR_FORCE": "0"], false),
    ])
    func `the option decides before the environment, and the environment before the terminal`(
        _ choice: String, _ environment: [String: String], _ isColored: Bool
    ) throws {
        let terminal = try TerminalSession(
            ["status", "--color", choice], in: phone, environment: environment)
        #expect(try terminal.end() == 0)
        #expect(terminal.transcript.contains("\u{1B}") == isColored)
    }

    @Test func `CLICOLOR_FORCE colors a pipe`() throws {
        let environment = ["CLICOLOR_FORCE": "1", "TERM": "xterm-kitty"]
        let status = try Program.todosync("status", in: phone, environment: environment)
        #expect(status.output.contains("\u{1B}[33m"))
        #expect(!status.output.contains("\u{1B}]8"))
    }

    @Test(arguments: [
        (["TERM": "xterm-kitty"], true), (["TERM": "xterm", "TERM_PROGRAM": "vscode"], true),
        (["TERM": "xterm", "VTE_VERSION": "7200"], true), (["TERM": "xterm", "VTE_VERSION": "4600"], false),
        (["TERM": "xterm", "KONSOLE_VERSION": "220401"], true), (["TERM": "xterm"], false), ([:], false),
        (["TERM": "xterm-kitty", "TMUX": "/tmux"], false),
        (["TERM": "screen", "VTE_VERSION": "7200"], false),
        (["TERM": "xterm-kitty", "NO_COLOR": "1"], false), (["TERM": "xterm-kitty", "PAGER": "more"], false),
    ])
    func `paths are links where the terminal shows links`(
        _ environment: [String: String], _ areLinks: Bool
    ) throws {
        let terminal = try TerminalSession(["status"], in: phone, environment: environment)
        #expect(try terminal.end() == 0)
        let isLink = terminal.transcript.contains(
            /\u{1B}\]8;;file:\/\/[^\/]*\/[^\u{1B}]*\/phone\/hello.yaml\u{1B}\\hello.yaml\u{1B}\]8;;\u{1B}\\/)
        #expect(isLink == areLinks)
        #expect(terminal.transcript.contains("\u{1B}]8") == areLinks)
    }

    @Test func `what others wrote can't steer the terminal`() throws {
        try folder.write("id: evil\ntext: \"\\e[2J\\e]0;gone\\a\"\n", to: "phone/evil.yaml")
        let terminal = try prompt("list")
        #expect(try terminal.end() == 0)
        #expect(terminal.transcript.contains("\\x1b[2J\\x1b]0;gone\\x07"))
        #expect(!terminal.transcript.contains("\u{1B}"))
    }
}
