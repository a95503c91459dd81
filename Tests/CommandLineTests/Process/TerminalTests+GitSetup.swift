import Testing

extension TerminalTests {
    @Test(arguments: ["\n", "n\n"]) func `git-setup asks before it writes, and before it removes`(
        answer: String
    ) throws {
        let git = { (command: String) in
            try Program.shell(
                "git init --quiet . && " + command, in: phone,
                environment: TestedEnvironment(home: folder.path)
            ).output
        }
        #expect(try git("true") == "")
        let terminal = try prompt("git-setup")
        try terminal.expect("merge.todosync.driver = todosync merge-file")
        try terminal.expect("write this? [Y/n] ")
        terminal.type(answer)
        let isWritten = answer == "\n"
        #expect(try terminal.end() == (isWritten ? 0 : 1))
        #expect(terminal.transcript.contains("nothing was written") == !isWritten)
        let look = "git config merge.todosync.name; cat .gitattributes | grep -c merge=todosync"
        let written = "todosync, field by field\n2\n"
        #expect((try git(look) == written) == isWritten)
        guard isWritten else { return }

        let refusal = try prompt("git-setup", "--undo")
        try refusal.expect("remove this? [Y/n] ")
        refusal.type("n\n")
        #expect(try refusal.end() == 1)
        #expect(try git(look) == written)
    }

    @Test func `the question about held todos reports when a stash has the newest version, and leaves them`()
        throws
    {
        _ = try Program.shell(
            """
            unset TODOSYNC_SEED
            git() { command git -c user.name=U -c user.email=u@example.com -c commit.gpgsign=false "$@"; }
            todosync discard hello.yaml; todosync sync
            git init --quiet .; git add .; git commit --quiet -m todos; todosync sync
            sed -i 's/^text: .*/text: newest/' hello.yaml; todosync sync; git stash --quiet
            """, in: phone, environment: TestedEnvironment(home: folder.path))
        let terminal = try prompt("sync")
        try terminal.expect(
            """
            hello.yaml: git checked out an older version (text: Hello world 23; the newest has text: newest)\
            ; the latest stash has the newest version
            bring back the [n]ewest versions, [s]end these as they are, or [l]eave them? [l]
            """)
        terminal.type("\n")
        #expect(try terminal.end() == 1)
    }
}
