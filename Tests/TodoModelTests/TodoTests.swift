import LosslessYAML
import Testing
import TodoModel

@Suite struct TodoTests {
    @Test(arguments: [
        "text: A\n", "text: \"\"\n", "text: 'no'\n", "text: no\n", "text: 2026-12-01\n", "{text: A}\n",
        "\u{FEFF}text: A\n",
        "---\ntext: A\n...\n", "# why\n\ntext: A", "text: A\r\nid: a\r\n",
        "text: A\nnested: {version: 1, id: 2}\n",
        "text: A\ncomplete: perhaps\ntags: 3\n", "text: &t A\nother: *t\n", "id: '1'\ntext: A\n",
        "text: |\n  A\n  B\n",
    ])
    func `a mapping with a string text is a todo, and keeps its bytes`(_ text: String) throws {
        let todo = try Todo(parsing: Array(text.utf8))
        #expect(todo.bytes == Array(text.utf8))
        #expect(todo.fields["id"] == nil)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var text: String
        var reason: TodoProblem.Reason?
        var line: Int
        var column: Int

        var testDescription: String { text.debugDescription }

        init(_ text: String, _ reason: TodoProblem.Reason?, _ line: Int, _ column: Int) {
            self.text = text
            self.reason = reason
            self.line = line
            self.column = column
        }

        static let all = [
            Bad("id: a\n", .noText, 1, 1),
            Bad("{}\n", .noText, 1, 1),
            Bad("id: a\ntext: 1\n", .textIsNotAString, 2, 1),
            Bad("text: ~\n", .textHasNoValue, 1, 1), Bad("id: a\ntext:\n", .textHasNoValue, 2, 1),
            Bad("text:\n  - a\n", .textIsNotAString, 1, 1),
            Bad("# é\ntext: A\nid: 7\n", .idIsNotAString, 3, 1),
            Bad("{text: A, id: true}\n", .idIsNotAString, 1, 11),
            Bad("{é: ä, id: true, text: A}\n", .idIsNotAString, 1, 8),
            Bad("\u{FEFF}id: 1\ntext: A\n", .idIsNotAString, 1, 1),
            Bad("text: A\r\nid: a/b\r\n", .badID("a/b"), 2, 1),
            Bad("text: A\nid: ''\n", .badID(""), 2, 1),
            Bad("text: A\nVersion: 1\n", .reserved("Version"), 2, 1),
            Bad("text: A\n__x: 1\n", .reserved("__x"), 2, 1),
            Bad("text: A\nID: a\n", .reserved("ID"), 2, 1),
            Bad("text: A\ntodosync: {}\n", .reserved("todosync"), 2, 1),
            Bad("text: A\n  bad: indent\n", nil, 2, 6),
            Bad("text: A\ntext: B\n", nil, 2, 1),
        ]
    }

    @Test(arguments: Bad.all)
    func `what breaks a rule is invalid, with its position as an editor counts it`(_ bad: Bad) {
        let problem = #expect(throws: TodoProblem.self) { try Todo(parsing: Array(bad.text.utf8)) }
        if let reason = bad.reason { #expect(problem?.reason == reason) }
        #expect(problem?.line == bad.line)
        #expect(problem?.column == bad.column)
        #expect(problem?.message.isEmpty == false)
    }

    @Test(arguments: [
        ("complete: true", true), ("complete: false", false), ("complete: 'true'", false), ("x: 1", false),
    ])
    func `only a boolean makes it complete`(_ line: String, isComplete: Bool) throws {
        #expect(try Todo(parsing: Array("text: A\n\(line)\n".utf8)).isComplete == isComplete)
    }

    @Test func `the message of a reserved name has the name as it is written`() throws {
        let problem = #expect(throws: TodoProblem.self) {
            try Todo(parsing: Array("text: A\nDeleted: 1\n".utf8))
        }
        #expect(problem?.message == "the name Deleted is reserved; choose a different one")
    }
}
