import Testing

extension TerminalTests {
    @Test(arguments: ["\n", "n\n"]) func `purge lists the todos and asks`(answer: String) throws {
        let shell = { (command: String) in
            try Program.shell(command, in: phone, environment: TestedEnvironment(home: folder.path)).output
        }
        let text = "id: fetched\\ntext: Fetch the parcel\\ncomplete: true\\n"
        _ = try shell("printf '\(text)' > fetched.yaml; todosync push --quiet fetched.yaml")
        let terminal = try prompt("purge")
        try terminal.expect("will be purged  fe  Fetch the parcel  fetched.yaml\n")
        try terminal.expect("purge this todo from this folder? It stays on the remote. [Y/n] ")
        terminal.type(answer)
        let isPurged = answer == "\n"
        #expect(try terminal.end() == (isPurged ? 0 : 1))
        #expect(terminal.transcript.contains("nothing was purged") == !isPurged)
        #expect((try shell("ls fetched.yaml 2>/dev/null") == "") == isPurged)
    }
}
