import Testing

@testable import SyncEngine
@testable import TodoModel
@testable import WorkingCopy
@testable import todosync

@Suite struct PorcelainTests {
    private static func report() throws -> StatusReport {
        let id = try #require(TodoID("7c1e"))
        return StatusReport(
            pending: [
                ReportRow(id: nil, path: "new.yaml", operation: .insert, fields: ["text"]),
                ReportRow(id: id, path: "edit.yaml", operation: .update, fields: ["text"]),
                ReportRow(id: id, path: "b c.yaml", operation: .update, fields: [], previousPath: "a.yaml"),
                ReportRow(id: id, path: "gone.yaml", operation: .delete, fields: []),
                ReportRow(id: id, path: "both.yaml", operation: .update, fields: ["text"]),
            ],
            conflicts: [
                ConflictedTodo(id: id, path: "both.yaml", fields: ["text"], kind: .editEdit, hasMarkers: true)
            ],
            invalid: [
                InvalidFile(path: "bad.yaml", problem: TodoProblem(reason: .noText, line: 1, column: 2))
            ],
            duplicates: [DuplicateFile(id: id, path: "twice.yaml", keptBy: "edit.yaml")],
            copies: [CopiedFile(id: id, path: "edit 2.yaml", original: "edit.yaml", isOrphan: false)],
            held: WithheldChanges(side: .local, count: 12, of: 15).holding([(id, "gone.yaml")]))
    }

    @Test func `each todo has a line, in the order of the paths`() throws {
        #expect(
            porcelain(try Self.report(), endsInNul: false) == """
                R  a.yaml -> "b c.yaml"
                 I bad.yaml
                MU both.yaml
                 + "edit 2.yaml"
                M  edit.yaml
                DW gone.yaml
                A  new.yaml
                 = twice.yaml

                """)
        #expect(porcelain(StatusReport(), endsInNul: false).isEmpty)
    }

    @Test func `with NUL, no path is quoted, and the new path of a move comes first`() throws {
        #expect(
            porcelain(try Self.report(), endsInNul: true)
                == "R  b c.yaml\0a.yaml\0 I bad.yaml\0MU both.yaml\0 + edit 2.yaml\0M  edit.yaml\0DW gone.yaml\0"
                + "A  new.yaml\0 = twice.yaml\0")
    }

    @Test(arguments: [
        ("milk.yaml", "milk.yaml"), ("牛乳.yaml", "牛乳.yaml"), ("a b.yaml", "\"a b.yaml\""),
        ("a\"b.yaml", #""a\"b.yaml""#), ("a\\b.yaml", #""a\\b.yaml""#), ("a\u{7}.yaml", #""a\007.yaml""#),
        ("a\u{202E}.yaml", #""a\342\200\256.yaml""#), ("a\nb.yaml", #""a\nb.yaml""#),
    ])
    func `a path that a script could misread is in quotes`(path: String, printed: String) {
        let report = StatusReport(
            pending: [ReportRow(id: nil, path: path, operation: .insert, fields: ["text"])])
        #expect(porcelain(report, endsInNul: false) == "A  \(printed)\n")
    }

    @Test func `paths that differ only in their Unicode form have a line each`() {
        let report = StatusReport(
            pending: ["\u{E9}.yaml", "e\u{301}.yaml"].map {
                ReportRow(id: nil, path: $0, operation: .insert, fields: ["text"])
            })
        let printed = porcelain(report, endsInNul: false)
        #expect(Array(printed.utf8) == Array("A  e\u{301}.yaml\nA  \u{E9}.yaml\n".utf8))
    }
}
