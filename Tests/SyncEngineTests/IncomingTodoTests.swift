import LosslessYAML
import Testing
import TodoModel
import WorkingCopy

@testable import SyncEngine

/// The text that a remote's record becomes.
@Suite struct IncomingTodoTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fields: Mapping = ["text": .string("A")]
        var sent: String?
        var base: String?
        var local: String?
        var expected: String
    }

    static let rows = [
        Row(testDescription: "fields alone", expected: "id: a\ntext: A\n"),
        Row(
            testDescription: "fields in their order, the text before them, without what is as good as absent",
            fields: [
                "owner": .string("me"), "complete": .bool(false), "text": .string("A"), "due": .null,
                "n": .number(Number(json: "1") ?? Number(0)),
            ], expected: "id: a\ntext: A\nowner: me\nn: 1\n"),
        Row(
            testDescription: "the text that came with them", sent: "# why\ntext: A\nid: a\n",
            expected: "# why\ntext: A\nid: a\n"),
        Row(
            testDescription: "that text comes before all others", sent: "id: a\ntext: A # sent\n",
            base: "id: a\ntext: A # base\n", local: "id: a\ntext: A # local\n",
            expected: "id: a\ntext: A # sent\n"),
        Row(
            testDescription: "a field that is newer than that text",
            fields: ["text": .string("A"), "owner": .string("me")],
            sent: "# why\nid: a\ntext: A\nowner: you\n", expected: "# why\nid: a\ntext: A\nowner: me\n"),
        Row(
            testDescription: "a field that the text lacks",
            fields: ["text": .string("A"), "owner": .string("me")],
            sent: "# why\nid: a\ntext: A\n", expected: "# why\nid: a\ntext: A\nowner: me\n"),
        Row(
            testDescription: "a field that the record lacks", sent: "# why\nid: a\ntext: A\nowner: you\n",
            expected: "# why\nid: a\ntext: A\n"),
        Row(
            testDescription: "null takes a field away", fields: ["text": .string("A"), "owner": .null],
            sent: "# why\nid: a\ntext: A\nowner: you\n", expected: "# why\nid: a\ntext: A\n"),
        Row(
            testDescription: "what is as good as absent is not worked in",
            fields: ["text": .string("A"), "complete": .bool(false), "owner": .null],
            sent: "# why\nid: a\ntext: A\n", expected: "# why\nid: a\ntext: A\n"),
        Row(
            testDescription: "a base version without an id is not used", base: "text: A # base\n",
            expected: "id: a\ntext: A\n"),
        Row(
            testDescription: "digits that floating point has lost",
            fields: ["text": .string("A"), "n": .number(Number(json: "12345678901234567000") ?? Number(0))],
            sent: "id: a\ntext: A\nn: 12345678901234567891\n",
            expected: "id: a\ntext: A\nn: 12345678901234567891\n"),
        Row(
            testDescription: "another number than one that floating point can't hold",
            fields: ["text": .string("A"), "n": .number(Number(5))],
            sent: "id: a\ntext: A\nn: 1e400\n", expected: "id: a\ntext: A\nn: 5\n"),
        Row(
            testDescription: "another todo's text", sent: "id: b\ntext: A # sent\n",
            expected: "id: a\ntext: A\n"),
        Row(testDescription: "a text that is no todo", sent: "- A\n", expected: "id: a\ntext: A\n"),
        Row(
            testDescription: "the local text with the same fields", local: "text: A # local\nid: a\n",
            expected: "text: A # local\nid: a\n"),
        Row(
            testDescription: "a local text with others", local: "# why\nid: a\ntext: B\n",
            expected: "id: a\ntext: A\n"),
        Row(
            testDescription: "another todo's local text", local: "id: b\ntext: A # local\n",
            expected: "id: a\ntext: A\n"),
        Row(
            testDescription: "the base version's text", fields: ["text": .string("B")],
            base: "# why\nid: a\ntext: A # base\n", expected: "# why\nid: a\ntext: B # base\n"),
        Row(
            testDescription: "the base version's text as it was", base: "# why\nid: a\ntext: A # base\n",
            expected: "# why\nid: a\ntext: A # base\n"),
        Row(
            testDescription: "the local text where it agrees, else the base version's",
            base: "id: a\ntext: A # base\n", local: "id: a\ntext: B # local\n",
            expected: "id: a\ntext: A # base\n"),
    ]

    @Test(arguments: rows) func `a record becomes a text`(_ row: Row) throws {
        let record = RemoteRecord(
            id: "a", version: Version("2"), fields: row.fields,
            layout: row.sent.map { Layout(path: "sent.yaml", yaml: $0) })
        let base = row.base.map {
            RemoteState.todo(RemoteTodo(version: Version("1"), path: "base.yaml", bytes: $0.bytes))
        }
        let local = try row.local.map { try Todo(parsing: $0.bytes) }
        guard
            case .usable(let id, .todo(let todo), let checked) = incomingTodo(
                record, base: base, local: local)
        else {
            Issue.record("no text")
            return
        }
        #expect(id == TodoID("a"))
        #expect(String(decoding: todo.bytes, as: UTF8.self) == row.expected)
        #expect(todo.version == Version("2"))
        #expect(todo.path == (row.sent != nil ? "sent.yaml" : row.base != nil ? "base.yaml" : nil))
        // Only a sent text that is kept unchanged counts as checked.
        #expect((checked != nil) == (row.sent == row.expected))
    }

    @Test func `a record whose todo has no path has none`() {
        let record = RemoteRecord(
            id: "a", version: Version("2"), fields: ["text": .string("A")],
            layout: Layout(path: nil, yaml: nil))
        let base = RemoteTodo(version: Version("1"), path: "base.yaml", bytes: "id: a\ntext: A\n".bytes)
        guard case .usable(_, .todo(let todo), _) = incomingTodo(record, base: .todo(base), local: nil) else {
            Issue.record("no text")
            return
        }
        #expect(todo.path == nil)
    }

    @Test func `a tombstone needs no fields`() {
        let record = RemoteRecord(id: "a", version: Version("2"), isDeleted: true, fields: [:])
        guard case .usable(_, .deleted(Version("2")), nil) = incomingTodo(record, base: nil, local: nil)
        else {
            Issue.record("not deleted")
            return
        }
    }

    @Test(arguments: [
        (RemoteRecord(id: "a/b", version: Version("1"), fields: ["text": .string("A")]), "/"),
        (RemoteRecord(id: "a", version: Version("1"), fields: [:]), "it has no text"),
        (RemoteRecord(id: "a", version: Version("1"), fields: ["text": .null]), "its text is not a string"),
        (
            RemoteRecord(id: "a", version: Version("1"), fields: ["text": .bool(true)]),
            "its text is not a string"
        ),
        (
            RemoteRecord(id: "a", version: Version("1"), fields: ["text": .string("A"), "id": .string("a")]),
            "it has the reserved field id"
        ),
        (
            RemoteRecord(
                id: "a", version: Version("1"), fields: ["text": .string("A"), "version": .string("1")]),
            "it has the reserved field version"
        ),
        (
            RemoteRecord(id: "a", version: Version("1"), fields: ["text": .string("A")], problem: "too deep"),
            "it can't be read: too deep"
        ),
        (
            RemoteRecord(
                id: "a", version: Version("1"),
                fields: ["text": .string("A"), "l": (0..<70).reduce(.null) { value, _ in .list([value]) }],
                layout: Layout(path: nil, yaml: "id: a\ntext: A\n")), "levels deep"
        ),
    ])
    func `a record that can't be used reports why`(_ record: RemoteRecord, _ reason: String) {
        guard case .unusable(let unusable) = incomingTodo(record, base: nil, local: nil) else {
            Issue.record("usable")
            return
        }
        #expect(unusable.id == record.id)
        #expect(unusable.reason.contains(reason))
    }
}

extension String {
    fileprivate var bytes: [UInt8] { Array(utf8) }
}
