import Testing

@testable import SyncEngine
@testable import ThreeWayMerge
@testable import TodoModel
@testable import WorkingCopy
@testable import todosync

@Suite struct QuestionTests {
    private func question(local: String, remote: String, kind: ConflictKind = .editEdit) throws
        -> ConflictQuestion
    {
        ConflictQuestion(
            id: try #require(TodoID("a")), path: "a.yaml", title: "A", todo: (1, 1), kind: kind,
            block: ConflictedText.Block(local: Array(local.utf8), base: nil, remote: Array(remote.utf8)),
            allowsBoth: false, file: [], number: 1, count: 1, problem: nil)
    }

    @Test func `a side that deleted the todo has nothing to show`() throws {
        let question = try question(local: "text: A\npriority: low\n", remote: "", kind: .editDelete)
        #expect(
            render(question, Style()) == """
                Conflict in a.yaml: A
                local changed it, remote deleted it
                local:
                    text: A
                    priority: low
                remote:
                    (deleted)
                """)
    }

    @Test func `markers that are not about the remote are named as that`() throws {
        let question = try question(local: "text: A\n", remote: "text: B\n", kind: .git)
        #expect(
            render(question, Style()).hasPrefix(
                "Conflict in a.yaml: A\nconflict markers in the file\nlocal:\n"))
    }

    @Test func `several conflicts of a todo are counted, and what went before is reported`() throws {
        var question = try question(local: "text: A\r\n", remote: "text: \u{1B}[1mB")
        question.number = 2
        question.count = 3
        question.todo = (4, 5)
        question.changed = .remote
        question.problem = .invalid("line 1: no")
        question.remembered = Array("text: C\n".utf8)
        #expect(
            render(question, Style()) == """
                The remote has changed again; this is its new value.
                The edit can't be used: line 1: no
                Conflict (4 of 5) in a.yaml: A
                both sides changed it, part 2 of 3
                local:
                    text: A
                          ~
                remote:
                    text: \\x1b[1mB
                          ~~~~~~~~
                as before:
                    text: C
                """)
    }

    @Test(arguments: [
        ("text: A b c\n", "text: A c\n", "text: A {b} c"), ("a\n", "a\n", "a"), ("a\nb\n", "a\n", "a|{b}"),
        ("牛 乳", "牛", "牛 {乳}"), ("a  b", "a b", "a  b"), ("a", "", "a"), ("", "a", ""),
    ])
    func `the words that the other version lacks are marked`(text: String, other: String, marked: String) {
        let lines = MarkedWords(text, besides: other).lines.map { line in
            line.map { $0.differs ? "{\($0.text)}" : $0.text }.joined()
        }
        #expect(lines.joined(separator: "|") == marked)
    }

    @Test func `differing words are colored, or marked where there is no color`() throws {
        let question = try question(local: "text: 牛乳 x\n", remote: "text: b x\n")
        #expect(render(question, Style()).contains("    text: 牛乳 x\n          ~~~~\n"))
        #expect(
            render(question, Style(hasColor: true)).contains(
                "    text: \u{1B}[32m牛乳\u{1B}[0m x\n"))
        #expect(!render(question, Style(width: 10)).contains("~"))
    }

    @Test func `only what is possible is offered, by letter and by word`() throws {
        var question = try question(local: "a\n", remote: "b\n")
        let few = ConflictChoices(question, last: nil)
        #expect(few.prompt(Style()) == "use [l]ocal, [r]emote, [e]dit, [s]kip, [q]uit, or [?] for help? ")
        #expect(few.choice("b") == nil && few.choice("w") == nil && few.choice("?") == nil)
        #expect(few.choice(nil) == .quit && few.choice("local") == .local)
        question.allowsBoth = true
        question.remembered = []
        let all = ConflictChoices(question, last: .take(.local))
        #expect(
            all.prompt(Style()) == "use [l]ocal, [r]emote, [b]oth, [a]gain as before, [e]dit, [s]kip, "
                + "the rest the same [w]ay, [q]uit, or [?] for help? ")
        #expect(
            all.prompt(Style(width: 60)) == "use [l]ocal, [r]emote, [b]oth, [a]gain as before, [e]dit,\n"
                + "[s]kip, the rest the same [w]ay, [q]uit, or [?] for help? ")
        #expect(all.explanation.split(separator: "\n").count == 8)
    }

    private func explanation(_ question: ConflictQuestion, last: ConflictAnswer? = nil) -> [Substring] {
        ConflictChoices(question, last: last).explanation.split(separator: "\n")
    }

    @Test func `where a side deleted the todo, the help shows what each choice does with it`() throws {
        let remote = try explanation(
            question(local: "text: A\n", remote: "", kind: .editDelete), last: .take(.remote))
        #expect(
            remote.prefix(3) == [
                "l  keep the todo as you changed it", "r  delete the todo, as the remote did",
                "e  edit the whole file in your editor, to keep the todo with other changes",
            ])
        #expect(
            remote.contains(
                "w  answer this and all later conflicts like the last one: delete the todo, as the remote did"
            ))
        let local = try explanation(question(local: "", remote: "text: A\n", kind: .deleteEdit))
        #expect(
            local.prefix(2) == [
                "l  delete the todo, as you did", "r  keep the todo as the remote changed it",
            ])
    }

    @Test func `a side without the lines leaves them out`() throws {
        let help = try explanation(question(local: "", remote: "due: 2026-12-01\n"))
        #expect(
            help.prefix(2) == [
                "l  leave these lines out, as the local side does", "r  take the remote's lines",
            ])
    }

    @Test func `the last answer is not possible where only one side can be taken`() throws {
        let help = try explanation(question(local: "a\n", remote: "b\n"), last: .both)
        #expect(help.contains("w  answer this and all later conflicts like the last one: not possible here"))
    }
}
