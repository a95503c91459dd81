import Testing

@testable import todosync

/// The names that commands have in other programs.
@Suite struct OtherNamesTests {
    private let commands = commandNames

    @Test func `each alias means a command, and none hides one`() {
        for (name, command) in OtherNames.aliases {
            let word = String(command.prefix { $0 != " " })
            #expect(commands.contains(word) && !commands.contains(name), "\(name)")
            #expect(OtherNames.advice[name] == nil, "\(name)")
        }
    }

    @Test func `advice is about names that are no commands, and names commands that are`() {
        for (name, advice) in OtherNames.advice {
            #expect(!commands.contains(name), "\(name)")
            for match in advice.matches(of: /"todosync ([a-z-]+)/) {
                #expect(commands.contains(String(match.output.1)), "\(name): \(advice)")
            }
        }
    }

    @Test(arguments: [
        (["push", "--nope"], "todosync push"), (["remote", "add"], "todosync remote add"),
        (["-C", "push", "serve", "key", "add", "push"], "todosync serve key add"),
        (["resolutions", "forget", "push"], "todosync resolutions forget"), (["--nope", "push"], "todosync"),
        (["help", "log"], "todosync log"), (["nope"], "todosync"), ([], "todosync"),
    ])
    func `the command that words name includes its subcommands`(words: [String], expected: String) {
        #expect(commandNamed(in: words) == expected)
    }

    @Test(arguments: [
        (["ls"], ["list"]), (["-C", "ls", "ls", "ls"], ["-C", "ls", "list", "ls"]),
        (["--quiet", "new", "milk"], ["--quiet", "add", "milk"]), (["help", "delete"], ["help", "rm"]),
        (["untick", "milk", "1"], ["tick", "--undo", "milk", "1"]), (["help", "untick"], ["help", "tick"]),
        (["close", "milk"], ["done", "milk"]), (["resolve", "--list", "--json"], ["conflicts", "--json"]),
        (["add", "resolve", "--list"], ["add", "resolve", "--list"]),
        (["done", "ls"], ["done", "ls"]), (["--nope", "ls"], ["--nope", "ls"]), ([], []),
    ])
    func `only the word for the command is replaced`(words: [String], expected: [String]) {
        #expect(OtherNames.replaced(in: words) == expected)
    }

    @Test(arguments: [
        "commit", "fetch", "checkout", "merge", "mark", "revert", "archive", "clean", "prune", "key",
        "import", "export", "postpone",
    ])
    func `a name that is ambiguous is refused with the right commands`(name: String) throws {
        let failure = try #require(throws: Failure.self) { try refuseUnknownCommand(in: [name]) }
        #expect(failure.status == .usage && failure.message == "there is no command '\(name)'")
        #expect(failure.hint == OtherNames.advice[name])
    }
}
