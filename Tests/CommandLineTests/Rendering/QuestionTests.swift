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
            id: try #require(TodoID("a")), path: "a.yaml", kind: kind,
            block: ConflictedText.Block(local: Array(local.utf8), base: nil, remote: Array(remote.utf8)),
            number: 1,
            count: 1, isAskedAgain: false, problem: nil)
    }

    @Test func `a side that deleted the todo has nothing to show`() throws {
        let question = try question(local: "text: A\npriority: low\n", remote: "", kind: .editDelete)
        #expect(
            render(question) == """
                Conflict edit/delete in a.yaml
                local:
                    text: A
                    priority: low
                remote:
                    (deleted)
                """)
    }

    @Test func `several conflicts of a todo are counted, and what went before is told`() throws {
        var question = try question(local: "text: A\r\n", remote: "text: \u{1B}[1mB")
        question.number = 2
        question.count = 3
        question.isAskedAgain = true
        question.problem = "line 1: no"
        question.remembered = Array("text: C\n".utf8)
        #expect(
            render(question) == """
                The remote has changed again; this is its new value.
                The edit can't be used: line 1: no
                Conflict edit/edit in a.yaml (2 of 3)
                local:
                    text: A
                remote:
                    text: \\x1b[1mB
                as before:
                    text: C
                """)
    }
}
