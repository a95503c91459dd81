import LosslessYAML
import Testing
import Values

@testable import SyncEngine
@testable import ThreeWayMerge
@testable import TodoModel
@testable import WorkingCopy
@testable import todosync

@Suite struct JSONTests {
    private func text(_ value: Value) -> String { String(decoding: JSON.write(value), as: UTF8.self) }

    @Test func `an empty status is clean and has every key`() {
        let expected =
            #"{"clean":true,"remote":null,"lastSync":null,"pending":[],"conflicts":[],"invalid":[],"duplicates":[],"copies":[],"waiting":[],"withheld":null,"lookalikes":[],"behind":[],"absent":[],"held":[]}"#
        #expect(text(json(StatusReport())) == expected)
    }

    @Test func `a status names what is pending, in conflict, invalid and duplicate`() throws {
        let id = try #require(TodoID("7c1e"))
        let report = StatusReport(
            remote: "/store",
            pending: [
                ReportRow(id: nil, path: "new.yaml", operation: .insert, fields: ["text"]),
                ReportRow(id: id, path: "b.yaml", operation: .update, fields: [], previousPath: "a.yaml"),
            ],
            conflicts: [
                ConflictedTodo(id: id, path: "c.yaml", fields: ["text"], kind: .editDelete, hasMarkers: true)
            ],
            invalid: [InvalidFile(path: "d.yaml", problem: TodoProblem(reason: .noText, line: 1, column: 2))],
            duplicates: [DuplicateFile(id: id, path: "e.yaml", keptBy: "a.yaml")],
            copies: [CopiedFile(id: id, path: "a 2.yaml", original: "a.yaml", isOrphan: false)],
            held: WithheldChanges(side: .remote, count: 12, of: 15).holding([(id, "g.yaml")]),
            lookalikes: [Lookalike(id: id, path: "f.yaml", keys: [.init(name: "\u{E9}", line: 3)])])
        #expect(
            text(json(report)) == """
                {"clean":false,"remote":"/store","lastSync":null,\
                "pending":[{"id":null,"path":"new.yaml","handle":null,"operation":"insert","fields":["text"]},\
                {"id":"7c1e","path":"b.yaml","handle":"7c","operation":"update","fields":[],"from":"a.yaml"}],\
                "conflicts":[{"id":"7c1e","path":"c.yaml","handle":"7c","fields":["text"],"kind":"edit/delete","markers":true}],\
                "invalid":[{"path":"d.yaml","line":1,"column":2,"message":"a todo needs a field text"}],\
                "duplicates":[{"id":"7c1e","path":"e.yaml","keptBy":"a.yaml"}],\
                "copies":[{"id":"7c1e","path":"a 2.yaml","of":"a.yaml"}],"waiting":[],\
                "withheld":{"side":"remote","count":12,"of":15,"change":"delete"},\
                "lookalikes":[{"id":"7c1e","path":"f.yaml","handle":"7c","keys":[{"key":"\u{E9}","line":3}]}],\
                "behind":[],"absent":[],"held":[{"id":"7c1e","path":"g.yaml","handle":"7c","reason":"manyDeletes",\
                "message":"many todos would be deleted"}]}
                """)
    }

    @Test func `what became of a copy names the todo's file`() throws {
        let id = try #require(TodoID("7c1e"))
        var report = AdoptReport()
        report.adopted = [
            AdoptedCopy(id: id, path: "a 2.yaml", original: "a.yaml", outcome: .merged, fields: ["due"]),
            AdoptedCopy(
                id: id, path: "a 3.yaml", original: "a.yaml", outcome: .conflict, fields: ["due"],
                conflictingFields: ["text"]),
        ]
        report.unresolved = [ReportRow(id: id, path: "a 4.yaml", reason: "it is gone")]
        #expect(
            text(json(report)) == """
                {"adopted":[{"id":"7c1e","path":"a 2.yaml","of":"a.yaml","fields":["due"],"conflict":false},\
                {"id":"7c1e","path":"a 3.yaml","of":"a.yaml","fields":["due","text"],"conflict":true}],\
                "unresolved":[{"id":"7c1e","path":"a 4.yaml","reason":"it is gone"}]}
                """)
    }

    @Test func `a sync names what it did and what it withheld`() throws {
        let id = try #require(TodoID("7c1e"))
        var report = SyncReport()
        report.pushed = [ReportRow(id: id, path: "a.yaml", operation: .delete)]
        report.pulled = [ReportRow(id: id, path: "b.yaml", operation: .insert)]
        report.merged = [
            ReportRow(id: id, path: "c.yaml", operation: .update, fields: ["tags"]),
            ReportRow(id: id, path: "f.yaml", operation: .update, fields: [], notes: [.commentsOfBoth]),
        ]
        report.refused = [ReportRow(id: id, path: "d.yaml", reason: "too large", status: 413)]
        report.held =
            [HeldTodo(id: id, path: "e.yaml", reason: .unanswered, detail: "no response")]
            + WithheldChanges(side: .remote, count: 12, of: 15).holding([(id, "g.yaml")])
        report.pending = 3
        #expect(
            text(json(report)) == """
                {"pushed":[{"id":"7c1e","path":"a.yaml","handle":"7c","operation":"delete"}],\
                "pulled":[{"id":"7c1e","path":"b.yaml","handle":"7c","operation":"insert"}],\
                "merged":[{"id":"7c1e","path":"c.yaml","handle":"7c","fields":["tags"]},\
                {"id":"7c1e","path":"f.yaml","handle":"7c","fields":[],"commentsOfBoth":true}],"conflicts":[],\
                "refused":[{"id":"7c1e","path":"d.yaml","handle":"7c","status":413,"message":"too large"}],\
                "waiting":[{"id":"7c1e","path":"e.yaml","handle":"7c","reason":"no response"}],\
                "withheld":{"side":"remote","count":12,"of":15,"change":"delete"},"pending":3,\
                "held":[{"id":"7c1e","path":"e.yaml","handle":"7c","reason":"unanswered","message":"no response"},\
                {"id":"7c1e","path":"g.yaml","handle":"7c","reason":"manyDeletes",\
                "message":"many todos would be deleted"}]}
                """)
        #expect(text(json(SyncReport())).contains(#""withheld":null"#))
    }

    @Test func `what was resolved as before is named where there is any`() throws {
        let id = try #require(TodoID("7c1e"))
        var report = SyncReport()
        #expect(!text(json(report)).contains("remembered"))
        report.recalled = [ReportRow(id: id, path: "a.yaml", fields: ["text", "place.city"])]
        #expect(
            text(json(report)).hasSuffix(
                #""remembered":[{"id":"7c1e","path":"a.yaml","handle":"7c","fields":["text","place.city"]}]}"#
            ))
        var conflict = ConflictedTodo(
            id: id, path: "a.yaml", fields: ["text"], kind: .editEdit, hasMarkers: true)
        #expect(!text(json(conflict, TodoNames())).contains("remembered"))
        conflict.remembered = ["text"]
        #expect(text(json(conflict, TodoNames())).hasSuffix(#""markers":true,"remembered":["text"]}"#))
    }

    @Test func `what a handler resolved is named where there is any`() throws {
        var report = SyncReport()
        #expect(!text(json(report)).contains("handled"))
        report.handled = [ReportRow(id: TodoID("7c1e"), path: "a.yaml", fields: ["text"])]
        #expect(
            text(json(report)).hasSuffix(
                #""handled":[{"id":"7c1e","path":"a.yaml","handle":"7c","fields":["text"]}]}"#))
    }

    @Test func `only a conflicted todo has the key conflict, only a confirmed one a version`() {
        var todo = ListedTodo(
            id: nil, path: "a.yaml", fields: ["text": .string("A"), "n": .number(Number(5))],
            isConflicted: false,
            bytes: [], version: nil)
        #expect(
            text(json([todo])) == #"[{"id":null,"path":"a.yaml","handle":null,"fields":{"text":"A","n":5}}]"#)
        todo.isConflicted = true
        todo.version = Version("v1")
        #expect(
            text(json(todo))
                == #"{"id":null,"path":"a.yaml","handle":null,"fields":{"text":"A","n":5},"conflict":true,"version":"v1"}"#
        )
    }

    @Test func `resolve shows what was used and what is left`() throws {
        let id = try #require(TodoID("7c1e"))
        let report = ResolveReport(
            resolved: [ReportRow(id: id, path: "a.yaml", used: .base)],
            unresolved: [
                ReportRow(id: id, path: "b.yaml", reason: "a marker is left", line: 3, column: 1)
            ])
        #expect(
            text(json(report)) == """
                {"resolved":[{"id":"7c1e","path":"a.yaml","handle":"7c","used":"base"}],\
                "unresolved":[{"id":"7c1e","path":"b.yaml","handle":"7c","reason":"a marker is left"}]}
                """)
    }

    @Test func `a log names operations, their todos and what became of them`() throws {
        let id = try #require(TodoID("7c1e"))
        let change = TodoChange(id: id, path: "a.yaml", change: .update, state: .pushed)
        var entry = LogEntry(
            operation: "3f2a", time: "2026-11-21T07:00:00Z", command: "todosync push", todos: [change],
            isInterrupted: false)
        let todos =
            #""todos":[{"id":"7c1e","path":"a.yaml","handle":"7c","change":"update","state":"pushed"}]"#
        let start =
            #"[{"operation":"3f2a","time":"2026-11-21T07:00:00Z","command":"todosync push","# + todos
        #expect(text(json([entry])) == start + "}]")
        entry.isInterrupted = true
        entry.undoes = "1234"
        #expect(text(json([entry])) == start + #","interrupted":true,"undoes":"1234"}]"#)
        #expect(text(json([LogEntry]())) == "[]")
    }

    @Test func `an undo names what it undid and what it left`() throws {
        let id = try #require(TodoID("7c1e"))
        let entry = LogEntry(operation: "3f2a", time: "", command: "", todos: [], isInterrupted: false)
        let report = UndoReport(
            operation: entry,
            undone: [
                ReportRow(
                    id: id, path: "a.yaml", operation: .update, fields: ["text"], previousPath: "c.yaml")
            ],
            refused: [ReportRow(id: id, path: "b.yaml", reason: "edited since")])
        #expect(
            text(json(report)) == """
                {"operation":"3f2a","undone":[{"id":"7c1e","path":"a.yaml","handle":"7c","change":"update",\
                "fields":["text"],"from":"c.yaml"}],"refused":[{"id":"7c1e","path":"b.yaml","handle":"7c",\
                "reason":"edited since"}]}
                """)
        #expect(
            text(json(UndoReport(newer: entry)))
                == #"{"operation":null,"undone":[],"refused":[],"newer":"3f2a"}"#)
        #expect(text(json(UndoReport())) == #"{"operation":null,"undone":[],"refused":[]}"#)
    }

    @Test func `an explanation has the three values, the rule and the result of each field`() throws {
        let id = try #require(TodoID("7c1e"))
        var explanation = Explanation(id: id, path: "a.yaml")
        #expect(
            text(json(explanation)) == """
                {"id":"7c1e","path":"a.yaml","operation":null,"time":null,"command":null,"outcome":null,"fields":[]}
                """)
        explanation.outcome = .merged
        explanation.fields = [
            ExplainedField(
                decision: FieldDecision(
                    field: "due", rule: .changedRemotely, base: .string("a"), local: .string("a"),
                    remote: nil,
                    result: nil, hasConflict: false),
                result: nil)
        ]
        #expect(
            text(json(explanation)).hasSuffix(
                #""outcome":"merged","fields":[{"field":"due","base":"a","local":"a","#
                    + #""rule":"changedRemotely","conflict":false}]}"#))
        explanation.comments = [
            ExplainedComment(change: CommentChange(comment: "# a", kind: .addedLocally), isKept: true)
        ]
        #expect(
            text(json(explanation)).hasSuffix(
                ##","comments":[{"comment":"# a","change":"addedLocally","kept":true}]}"##))
    }

    @Test(arguments: [("90d", 90 * 86_400), ("12w", 12 * 7 * 86_400), ("0d", 0)])
    func `a time span is days or weeks`(typed: String, seconds: Int) {
        #expect(TimeSpan(argument: typed)?.seconds == seconds)
    }

    @Test(arguments: ["", "d", "90", "-1d", "1.5d", "90h", "9999999999999999999d", "90 d", "soon", "+1d"])
    func `what is no time span is refused`(typed: String) {
        #expect(TimeSpan(argument: typed) == nil)
    }
}
