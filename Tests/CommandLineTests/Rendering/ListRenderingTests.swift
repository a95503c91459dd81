import LosslessYAML
import Testing
import Values

@testable import SyncEngine
@testable import TodoModel
@testable import todosync

/// How lists look at terminals of each width, and in pipes.
@Suite struct ListRenderingTests {
    /// 2026-11-21, one hour ahead of UTC.
    private static let present = Present(
        DateReader(now: 1_795_244_400, zone: LocalZone { _ in 3600 }))

    // MARK: Due dates

    struct Row: Sendable, CustomTestStringConvertible {
        var due: String
        var words: String
        var longWords: String
        var word: String?
        var testDescription: String { due }

        init(_ due: String, _ words: String, _ longWords: String, _ word: String? = nil) {
            (self.due, self.words, self.longWords, self.word) = (due, words, longWords, word)
        }
    }

    static let rows = [
        Row("2025-11-21", "overdue 365d", "2025-11-21, overdue 365d", "overdue"),
        Row("2026-11-20", "overdue 1d", "2026-11-20, overdue 1d", "overdue"),
        Row("2026-11-21", "today", "2026-11-21, today", "today"),
        Row("2026-11-21T06:30:00Z", "overdue 07:30", "2026-11-21 07:30, overdue", "overdue"),
        Row("2026-11-21T07:00:00Z", "today 08:00", "2026-11-21 08:00, today", "today"),
        // At this time, it is already the next day in the local zone.
        Row("2026-11-21T23:30:00Z", "tomorrow 00:30", "2026-11-22 00:30, tomorrow", "soon"),
        Row("2026-11-22", "tomorrow", "2026-11-22, tomorrow", "soon"),
        Row("2026-11-28", "in 7 days", "2026-11-28, in 7 days", "soon"),
        Row("2026-11-29", "2026-11-29", "2026-11-29"),
        Row("2027-03-01T12:00:00+01:00", "2027-03-01", "2027-03-01 12:00"),
    ]

    @Test(arguments: rows) func `a due date shows how near it is`(row: Row) throws {
        let due = try #require(Due(row.due))
        #expect(Self.present.words(due) == row.words)
        #expect(Self.present.longWords(due) == row.longWords)
        #expect(Self.present.nearness(of: due).word == row.word)
    }

    @Test(arguments: [
        ("2026-11-21T07:00:00Z", "today 08:00"), ("2026-11-20T23:30:00Z", "today 00:30"),
        ("2026-11-20T22:30:00Z", "2026-11-20 23:30"), ("no time", "no time"),
    ])
    func `a time is the one that clocks here show`(time: String, shown: String) {
        #expect(Self.present.localTime(time) == shown)
    }

    // MARK: Widths

    private static func todo(
        _ id: String, _ path: String, _ fields: Mapping, isPending: Bool = false, isConflicted: Bool = false
    ) -> ListEntry {
        var todo = ListedTodo(
            id: TodoID(id), path: path, fields: fields, isConflicted: isConflicted, bytes: [])
        (todo.handle, todo.isPending) = (String(id.prefix(2)), isPending)
        return ListEntry(todo)
    }

    private var entries: [ListEntry] {
        [
            Self.todo(
                "7c1e", "work/call-anna-about-the-garden.yaml",
                [
                    "text": .string("Call Anna about the garden, the fence and the neighbours' new dog"),
                    "due": .string("2026-11-20"), "priority": .string("high"),
                    "tags": .list([.string("phone"), .string("garden")]),
                ], isPending: true),
            Self.todo(
                "8d2f", "牛乳.yaml",
                ["text": .string("牛乳を買う、そして卵とパンと野菜も忘れずに買って帰ること"), "due": .string("2026-11-21")]),
            Self.todo(
                "9e30", "cafe.yaml", ["text": .string("Cafe\u{301} 👍 with\tAnna\nand Bob")],
                isConflicted: true),
        ]
    }

    private static let form = ListForm(present: present)

    @Test(arguments: [
        (
            200,
            """
            7c  Call Anna about the garden, the fence and the neighbours' new dog  overdue 1d  high  phone, garden  pending
            8d  牛乳を買う、そして卵とパンと野菜も忘れずに買って帰ること           today
            9e  Cafe\u{301} 👍 with\\tAnna …                                                                                conflict

            """
        ),
        (
            80,
            """
            7c  Call Anna about the garden, the fence and the n…  overdue 1d  high  pending
            8d  牛乳を買う、そして卵とパンと野菜も忘れずに買っ…   today
            9e  Cafe\u{301} 👍 with\\tAnna …                                                conflict

            """
        ),
        (
            60,
            """
            7c  Call Anna about the garden,…  overdue 1d  high  pending
            8d  牛乳を買う、そして卵とパン…   today
            9e  Cafe\u{301} 👍 with\\tAnna …                            conflict

            """
        ),
    ])
    func `the text is first and widest, and tags are left out first`(width: Int, list: String) {
        #expect(render(entries, Self.form, Style(width: width)) == list)
    }

    @Test(arguments: [false, true], [false, true])
    func `no line is wider than the terminal`(isLong: Bool, hasColor: Bool) {
        var form = Self.form
        (form.isLong, form.marksDone) = (isLong, true)
        for width in 8...240 {
            let list = render(entries, form, Style(hasColor: hasColor, width: width))
            for line in list.split(separator: "\n") {
                let plain = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
                #expect(displayWidth(String(plain)) <= width, "\(width): \(line)")
            }
        }
    }

    @Test func `a long list has authors and paths, the end of a long path`() throws {
        var form = Self.form
        form.isLong = true
        let id = try #require(TodoID("7c1e"))
        form.authors[id] = Authorship(
            created: Author(time: "2026-11-01T11:00:00Z", device: .other("phone")),
            changed: Author(time: "2026-11-21T06:00:00Z", device: .here))
        // Columns that are too wide go below the todo.
        #expect(
            render([entries[0]], form, Style(width: 200)) == """
                7c  Call Anna about the garden, the fence and the neighbours' new dog  \
                2026-11-20, overdue 1d  high  phone, garden  pending
                    work/call-anna-about-the-garden.yaml  created 2026-11-01 12:00 phone, changed today 07:00 here

                """)
        #expect(
            render([entries[0]], form, Style(width: 60)) == """
                7c  Call Anna about …  2026-11-20, overdue 1d  high  pending
                    work/call-anna-about-the-garden.yaml
                    created 2026-11-01 12:00 phone, changed today 07:00 here

                """)
        let wide = render([entries[0]], form, Style(width: 240))
        #expect(wide.hasSuffix("today 07:00 here  work/call-anna-about-the-garden.yaml\n"), "\(wide)")
        #expect(Style().path("work/牛乳/taxes.yaml", toWidth: 14) == "…乳/taxes.yaml")
        let links = Style(links: FileLinks(host: "h", root: "/t"))
        #expect(
            links.path("work/a.yaml", toWidth: 7).hasSuffix("/t/work/a.yaml\u{1B}\\…a.yaml\u{1B}]8;;\u{1B}\\")
        )
    }

    @Test func `the handle is bold, and the rest of the id is quiet`() {
        let line = render([entries[2]], Self.form, Style(hasColor: true, width: 80))
        #expect(line.hasPrefix("\u{1B}[1m9e\u{1B}[0m\u{1B}[2m30\u{1B}[0m  Caf"))
    }

    // MARK: Pipes

    @Test func `a pipe gets columns that do not depend on the todos`() {
        #expect(
            tabSeparated(entries, Self.form, Style()) == """
                7c\tCall Anna about the garden, the fence and the neighbours' new dog\t2026-11-20\thigh\t\
                phone,garden\topen,overdue,pending\twork/call-anna-about-the-garden.yaml
                8d\t牛乳を買う、そして卵とパンと野菜も忘れずに買って帰ること\t2026-11-21\t\t\topen,today\t牛乳.yaml
                9e\tCafe\u{301} 👍 with\\tAnna\\nand Bob\t\t\t\topen,conflict\tcafe.yaml

                """)
    }

    @Test func `a long list in a pipe has times in UTC`() throws {
        var form = Self.form
        form.isLong = true
        let id = try #require(TodoID("8d2f"))
        form.authors[id] = Authorship(
            changed: Author(time: "2026-11-01T11:00:00Z", device: .other("pho\tne")))
        let line = tabSeparated([entries[1]], form, Style())
        #expect(line.hasSuffix("\t牛乳.yaml\t\t\t2026-11-01T11:00:00Z\tpho\\tne\n"))
    }

    @Test func `done todos are not overdue`() {
        let entry = Self.todo(
            "7c1e", "a.yaml", ["text": .string("A"), "complete": .bool(true), "due": .string("2020-01-01")])
        var form = Self.form
        form.marksDone = true
        #expect(render([entry], form, Style(width: 80)) == "7c  [x] A  2020-01-01\n")
        #expect(tabSeparated([entry], form, Style()) == "7c\tA\t2020-01-01\t\t\tdone\ta.yaml\n")
    }
}
