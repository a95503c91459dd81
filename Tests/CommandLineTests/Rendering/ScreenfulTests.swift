import Testing
import Values

@testable import SyncEngine
@testable import TodoModel
@testable import WorkingCopy
@testable import todosync

@Suite struct ScreenfulTests {
    private let id: TodoID

    init() throws { id = try #require(TodoID("a")) }

    @Test(arguments: [
        (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (99_980, "99,980"), (1_234_567, "1,234,567"),
        (-1000, "-1,000"),
    ])
    func `numbers have thousands separators`(number: Int, text: String) {
        #expect(number.grouped == text)
    }

    @Test(arguments: [
        ("", 0), ("one", 3), ("\u{1B}[32mnew\u{1B}[0m", 3), ("牛乳", 4),
        ("\u{1B}]8;;file://host/a\u{1B}\\a.yaml\u{1B}]8;;\u{1B}\\", 6),
    ])
    func `escape sequences take no columns`(text: String, width: Int) {
        #expect(displayWidth(text) == width)
    }

    @Test(arguments: [("a\n", 1), ("", 0), ("a\n\nb\n", 3), ("0123456789\n", 1), ("0123456789a\n", 2)])
    func `a line that is too long takes several`(text: String, count: Int) {
        #expect(Screenful(Style(width: 10)).lineCount(text) == count)
    }

    private func pending(_ count: Int) -> [ReportRow] {
        (1...count).map { ReportRow(id: nil, path: "\($0).yaml", operation: .delete, fields: []) }
    }

    private func invalid(_ count: Int) -> [InvalidFile] {
        (1...count).map {
            InvalidFile(path: "\($0).yml", problem: TodoProblem(reason: .noText, line: 1, column: 2))
        }
    }

    @Test(arguments: [12, 16, 24, 50])
    func `a status that is too long fits on the screen, and counts the rest`(height: Int) {
        let report = StatusReport(remote: "/store", pending: pending(1500), invalid: invalid(3))
        let text = render(report, Style(width: 80, height: height))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == height)
        let shown = text.split(separator: "\n").count { $0.contains("  deleted  ") }
        #expect(text.contains("\n  … and \((1500 - shown).grouped) more (--all)\n"))
        // The short section is cut only if the long one can't be cut further.
        #expect(
            (text.split(separator: "\n").count { $0.contains("needs a field text") } == 3) == (height > 13))
    }

    @Test func `a status that fits is not cut, and neither is one without a terminal`() {
        let report = StatusReport(remote: "/store", pending: pending(30))
        #expect(!render(report, Style(width: 80, height: 36)).contains("more (--all)"))
        #expect(render(report, Style(width: 80, height: 34)).contains("more (--all)"))
        #expect(!render(report, Style()).contains("more (--all)"))
    }

    private func entries(_ count: Int) -> [LogEntry] {
        (1...count).map { number in
            LogEntry(
                operation: "\(number)aaaaaaaaaa", time: "2026-11-21T07:00:00Z", command: "todosync push",
                todos: [
                    TodoChange(id: id, path: "a.yaml", change: .update, state: .pushed)
                ], isInterrupted: number == 2)
        }
    }

    private func log(_ count: Int, isShort: Bool = false, _ style: Style) -> String {
        let present = Present(DateReader(now: 0, zone: LocalZone { _ in 0 }))
        return render(entries(count), TodoNames(), present, isShort: isShort, style)
    }

    @Test func `a log is cut after a whole operation`() {
        let text = log(1200, Style(width: 80, height: 10))
        #expect(
            text == """
                1aaaaaaa  2026-11-21 07:00  todosync push
                    pushed  changed  a.yaml

                2aaaaaaa  2026-11-21 07:00  todosync push  (interrupted)
                    pushed  changed  a.yaml

                … and 1,198 more (--all)

                """)
    }

    @Test func `a log that just fits is shown in full`() {
        let text = log(3, Style(width: 80, height: 9))
        #expect(!text.contains("more"))
        #expect(text.contains("3aaaaaaa"))
        #expect(log(3, Style(width: 80, height: 8)).hasSuffix("… and 1 more (--all)\n"))
    }

    @Test func `an operation that is longer than the screen is shown`() {
        #expect(log(2, Style(width: 80, height: 2)).hasPrefix("1aaaaaaa"))
    }

    @Test func `a short log has one line for each operation`() {
        #expect(
            log(2, isShort: true, Style()) == """
                1aaaaaaa  todosync push  1 todo
                2aaaaaaa  todosync push  1 todo, interrupted

                """)
        #expect(
            log(9, isShort: true, Style(width: 80, height: 4)) == """
                1aaaaaaa  todosync push  1 todo
                2aaaaaaa  todosync push  1 todo, interrupted
                … and 7 more (--all)

                """)
    }
}
