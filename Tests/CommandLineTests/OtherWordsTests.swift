import TestSupport
import Testing

@testable import todosync

/// The words of other programs after a command's name.
@Suite struct OtherWordsTests {
    @Test func `each row is about existing commands, and its advice names such commands`() {
        for row in OtherWords.rows {
            #expect(row.commands.isSubset(of: commandNames), "\(row)")
            for match in row.advice.matches(of: /"todosync ([a-z-]+)/) {
                #expect(commandNames.contains(String(match.output.1)), "\(row.advice)")
            }
        }
    }

    @Test(arguments: [
        (["push", "origin"], "need no name"), (["push", "-u", "origin", "main"], "need no name"),
        (["push", "--force"], "--on-conflict local"), (["pull", "-f"], "--on-conflict remote"),
        (["status", "-s"], "status --porcelain"), (["st", "--short"], "status --porcelain"),
        (["log", "-5"], "log -n 5"), (["-C", "x", "log", "-q", "-12"], "log -n 12"),
        (["list", "--limit", "-1"], nil), (["list", "-3"], "list --limit 3"),
        (["list", "-n", "3"], "--limit"),
        (["diff", "--stat"], "todosync status"), (["diff", "HEAD"], "todosync diff"),
        (["resolve", "--ours"], "resolve --use local"), (["resolve", "--use", "ours"], "--use local"),
        (["resolve", "--use=theirs"], "--use remote"), (["resolve", "--use", "local"], nil),
        (["sync", "--theirs"], "--on-conflict remote"),
        (["remote", "rm"], "remote remove origin"), (["remote", "rm", "origin"], "remote remove origin"),
        (["push", "milk"], nil), (["add", "--", "-m"], nil), (["ours"], nil), ([], nil),
    ])
    func `a word of another program has its advice`(words: [String], advice: String?) {
        let given = OtherWords.advice(for: OtherNames.replaced(in: words))
        #expect(advice.map { given?.contains($0) == true } ?? (given == nil), "\(given ?? "none")")
    }

    @Test(arguments: [
        (["add", "x", "--due", "-3d"], ["add", "x", "--due=-3d"]),
        (["list", "--due-before", "-12w", "--all"], ["list", "--due-before=-12w", "--all"]),
        (["add", "--", "--due", "-3d"], ["add", "--", "--due", "-3d"]),
        (["log", "-n", "-3d"], ["log", "-n", "-3d"]), (["-3d"], ["-3d"]),
        (["add", "--due", "-3"], ["add", "--due", "-3"]),
    ])
    func `a date in the past belongs to the option before it`(words: [String], joined: [String]) {
        #expect(joiningPastDates(in: words) == joined)
    }
}

/// The advice that the program prints.
@Suite(.ownThreads) struct PrintedAdviceTests {
    private let folder: ThrowAwayFolder

    init() throws {
        folder = try ThrowAwayFolder()
        _ = try Program.shell(
            "todosync init -q --bare store; todosync clone -q store a; cd a; todosync add -q Buy milk",
            in: folder.path, environment: TestedEnvironment(home: folder.path))
    }

    private func run(_ command: String) throws -> Program.Result {
        try Program.shell(
            "cd a; " + command, in: folder.path, environment: TestedEnvironment(home: folder.path))
    }

    @Test(arguments: [
        ("todosync push origin", 66, "need no name"), ("todosync status -s", 64, "status --porcelain"),
        ("todosync log -5", 64, "hint: \"todosync log -n 5\" lists 5 operations\n"),
        ("todosync resolve --use ours", 64, "resolve --use local"),
        ("todosync remote rm", 64, "remote remove origin"),
        ("todosync set milk due:fri", 64, "error: due:fri is a term of a filter"),
        ("todosync set milk due:fri", 64, "hint: type due=fri to set the field\n"),
        ("todosync explain milk", 66, "error: the operation log has no merge of buy-milk.yaml\n"),
        ("EDITOR=nosuch todosync edit milk", 74, "error: there is no editor 'nosuch'\nhint: install it"),
        ("EDITOR=\"'no such' -w\" todosync edit milk", 74, "error: there is no editor ''no such' -w'\n"),
        ("EDITOR= todosync edit milk < /dev/null", 74, "error: there is no terminal for the editor 'vi'\n"),
        ("EDITOR=true todosync edit milk < /dev/null", 0, ""),
        ("todosync add x --due -3d", 0, ""),
    ])
    func `a mistake is answered with what to type`(command: String, status: Int, errors: String) throws {
        let result = try run(command)
        #expect(result.status == Int32(status))
        #expect(result.output.contains(errors), "\(result.output)")
        // The shell reports what it doesn't find after quotation marks.
        if status != 0, !command.contains("'no such'") { #expect(result.output.hasPrefix("error: ")) }
    }

    @Test func `a todo can have the name that a word of git has`() throws {
        #expect(try run("todosync add -q origin; todosync push origin").output.contains("pushed  new"))
    }
}
