import Testing
import TodoModel
import WorkingCopy

@testable import SyncEngine

/// Decisions about a todo that both sides changed, where only its texts matter.
@Suite struct ReconcileTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The texts after the id; nil without a base version.
        var base: String?
        var local: String
        var remote: String
        var decision: String

        init(
            _ testDescription: String, _ base: String?, _ local: String, _ remote: String, _ decision: String
        ) {
            self.testDescription = testDescription
            (self.base, self.local, self.remote, self.decision) = (base, local, remote, decision)
        }

        static let all = [
            Row("no base, same text", nil, "text: A\n", "text: A\n", "agreed"),
            Row("no base, same fields in another layout", nil, "text: A # mine\n", "text: 'A'\n", "agreed"),
            Row(
                "no base, same fields, a comment there", nil, "text: A # mine\n", "# theirs\ntext: A\n",
                "merged # theirs\ntext: A # mine\n: comments of both"),
            Row(
                "a comment here and another one there", "text: A\n", "# mine\ntext: A\n",
                "# theirs\ntext: A\n", "merged # mine\n# theirs\ntext: A\n: comments of both"),
            Row("no base, absent and false", nil, "text: A\ncomplete: false\n", "text: A\n", "agreed"),
            Row(
                "no base, other fields", nil, "text: A\nx: 1\n", "text: A\ny: 2\n",
                "merged text: A\nx: 1\ny: 2\n: y"),
            Row("no base, another text", nil, "text: A\n", "text: B\n", "conflict insert/insert text"),
            Row(
                "the same change, commented here", "text: A\n", "text: B # mine\n", "text: B\n",
                "keep pending"),
            Row(
                "the same change, commented there", "text: A\n", "text: B\n", "text: B # theirs\n",
                "merged text: B # theirs\n: "),
            Row(
                "a change here, a comment there", "text: A\n", "text: B\n", "# theirs\ntext: A\n",
                "merged # theirs\ntext: B\n: "),
            Row(
                "a comment here, a change there", "text: A\n", "# mine\ntext: A\n", "text: B\n",
                "merged # mine\ntext: B\n: text"),
            Row(
                "another field here and there", "text: A\n", "text: B\n", "text: A\nx: 1\n",
                "merged text: B\nx: 1\n: x"),
            Row("nothing there", "text: A\n", "text: B\n", "text: A\n", "keep pending"),
            Row("nothing here", "text: A\n", "text: A\n", "text: B\n", "take text: B\n"),
            Row("one field, two ways", "text: A\n", "text: B\n", "text: C\n", "conflict edit/edit text"),
            Row(
                "a field of one's own, renamed here", "text: A\nrule: 2 weeks on monday\n",
                "text: A\nagain: 2 weeks on monday\n", "text: A\nrule: 3 weeks on monday\n",
                "merged text: A\nagain: 3 weeks on monday\n: again"),
            Row(
                "a field that todosync uses never counts as renamed", "text: A\nevery: 2 weeks on monday\n",
                "text: A\nagain: 2 weeks on monday\n", "text: A\nevery: 3 weeks on monday\n",
                "conflict edit/edit every"),
        ]
    }

    @Test(arguments: Row.all)
    func `texts that differ are decided on by what differs in them`(_ row: Row) throws {
        func remote(_ text: String, _ version: String) -> RemoteState {
            .todo(RemoteTodo(version: Version(version), path: nil, bytes: Array(("id: a\n" + text).utf8)))
        }
        let decision = reconcile(
            base: row.base.map { remote($0, "1") },
            local: try Todo(parsing: Array(("id: a\n" + row.local).utf8)), remote: remote(row.remote, "2"))
        #expect(words(decision) == row.decision)
    }

    private func words(_ decision: Decision) -> String {
        func text(_ bytes: [UInt8]) -> String {
            String(decoding: bytes, as: UTF8.self).replacing("id: a\n", with: "")
        }
        return switch decision {
        case .agreed: "agreed"
        case .keepPending: "keep pending"
        case .takeRemote(let bytes): "take \(text(bytes))"
        case .deleteLocal: "delete"
        case .bothDeleted: "both deleted"
        case .merged(let bytes, let parts):
            "merged \(text(bytes)): \(parts.fields.joined(separator: " "))"
                + (parts.hasCommentsOfBoth ? "comments of both" : "")
        case .conflict(let kind, _, let fields, _):
            "conflict \(kind.rawValue) \(fields.joined(separator: " "))"
        case .unmergeable(let kind, _, let fields):
            "unmergeable \(kind.rawValue) \(fields.joined(separator: " "))"
        }
    }
}
