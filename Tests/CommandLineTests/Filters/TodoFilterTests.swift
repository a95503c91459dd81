import LosslessYAML
import Testing
import TodoModel
import Values

@testable import SyncEngine
@testable import todosync

/// Filters of todos, on Saturday, 2026-11-21, at 07:00 in UTC.
@Suite struct TodoFilterTests {
    private static let dates = DateReader(now: 1_795_244_400, zone: LocalZone { _ in 0 })

    private static func todo(
        _ name: String, _ fields: Mapping, isConflicted: Bool = false, isHeld: Bool = false
    ) -> ListedTodo {
        var todo = ListedTodo(
            id: TodoID(name.replacing("/", with: "-")), path: name + ".yaml", fields: fields,
            isConflicted: isConflicted, bytes: [])
        (todo.isHeld, todo.isPending) = (isHeld, ["milk", "done"].contains(name))
        return todo
    }

    private static let todos = [
        todo(
            "milk",
            [
                "text": .string("Buy milk"), "due": .string("2026-11-27"), "priority": .string("low"),
                "tags": .list([.string("home"), .string("shop")]), "estimate": .number(Number(10)),
            ]),
        todo(
            "work/tax",
            [
                "text": .string("Taxes: 12:30"), "due": .string("2026-11-21T06:59:59Z"),
                "priority": .string("high"), "notes": .string("see http://Example.org/a"),
                "project": .string("House"),
            ], isConflicted: true),
        todo(
            "work/plan",
            [
                "text": .string("Plan the week"), "due": .string("2026-11-21"),
                "estimate": .number(Number(9)),
                "start": .string("2026-12-01"), "tags": .list([.string("work")]),
            ], isHeld: true),
        todo(
            "old",
            [
                "text": .string("overdue books"), "due": .string("2026-11-20"), "project": .null,
                "zip": .string("01234"),
                "people": .list([.string("Anna"), .number(Number(5))]),
            ]),
        todo(
            "done",
            [
                "text": .string("Done"), "complete": .bool(true), "due": .string("2026-11-01"),
                "estimate": .string("10"), "flag": .bool(true),
            ]),
    ]

    /// A todo in the Unicode form that macOS gives to the names of files, and one in the form that is typed.
    private static let inBothForms = [false, true].map { isDecomposed in
        let word = isDecomposed ? "Cafe\u{301}" : "Caf\u{E9}"
        return todo(
            "\(word)/\(isDecomposed)",
            [
                "text": .string("Visit the \(word)"), "notes": .string("a \(word) in the straße"),
                "tags": .list([.string(word)]), "place": .string(word),
            ])
    }

    private func find(
        _ words: [String], saved: [String: String] = [:], in todos: [ListedTodo] = todos
    ) throws -> [String] {
        var reader = SavedFilters(dates: Self.dates) {
            Dictionary(uniqueKeysWithValues: saved.map { (ByteKey($0), $1) })
        }
        let query = ListQuery(
            state: .all, filter: try reader.read(words), present: Present(Self.dates), order: .path)
        return query.sorted(todos.compactMap(query.entry)).map { String($0.todo.path.dropLast(5)) }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var words: String
        var found: String
        var testDescription: String { words }

        init(_ words: String, _ found: String) {
            self.words = words
            self.found = found
        }
    }

    @Test(arguments: [
        Row("", "done milk old work/plan work/tax"),
        Row("MILK", "milk"), Row("the week", "work/plan"), Row("the milk", ""),
        Row("12:30", "work/tax"), Row("http://example.org", "work/tax"), Row("text:taxes:", "work/tax"),
        Row("text:overdue", "old"), Row("notes:example", "work/tax"), Row("notes:taxes", ""),
        Row("tag:home", "milk"), Row("tag:HOME", "milk"), Row("tags:shop tag:home", "milk"),
        Row("tag:none", "done old work/tax"), Row("-tag:none", "milk work/plan"),
        Row("-tag:work", "done milk old work/tax"), Row("not:tag:work", "done milk old work/tax"),
        Row("-milk", "done old work/plan work/tax"), Row("--", "done milk old work/plan work/tax"),
        Row("path:work/", "work/plan work/tax"), Row("-path:work/ overdue", "old"),
        Row("due<today", "done old"), Row("due<=today", "done old work/plan work/tax"),
        Row("due:today", "work/plan work/tax"), Row("due>today", "milk"),
        Row("due<fri", "done old work/plan work/tax"),
        Row("due<=fri", "done milk old work/plan work/tax"), Row("due>=2026-11-27", "milk"),
        Row("due:fri", "milk"), Row("due:none", ""),
        Row("due<2026-11-21T07:00:00Z", "done old work/plan work/tax"),
        Row("overdue", "old work/tax"), Row("-overdue", "done milk work/plan"),
        Row("is:overdue", "old work/tax"), Row("is:today", "work/plan"), Row("is:soon", "milk"),
        Row("priority:high", "work/tax"), Row("priority:HIGH", "work/tax"), Row("priority>low", "work/tax"),
        Row("priority<=medium", "milk"), Row("priority:none", "done old work/plan"),
        Row("is:open", "milk old work/plan work/tax"), Row("is:done", "done"), Row("is:pending", "done milk"),
        Row("is:conflict", "work/tax"), Row("is:held", "work/plan"), Row("complete:true", "done"),
        Row("complete:false", "milk old work/plan work/tax"),
        Row("project:house", "work/tax"), Row("project:none", "done milk old work/plan"),
        Row("estimate>9", "milk"), Row("estimate>=9", "milk work/plan"), Row("estimate<9.5", "work/plan"),
        Row("estimate:10", "done milk"), Row("estimate:10.0", "milk"), Row("estimate<-1", ""),
        Row("estimate:0xA", "milk"), Row("estimate:010", "milk"), Row("estimate:+10", "milk"),
        Row("estimate>=010", "milk"), Row("zip:01234", "old"), Row("zip:1234", ""),
        Row("start>fri", "work/plan"), Row("start<fri", ""), Row("people:anna", "old"),
        Row("people:5", "old"),
        Row("flag:true", "done"), Row("flag:TRUE", "done"), Row("nobody:5", ""),
        Row("text:Buy -priority:high due>=fri", "milk"),
    ])
    func `a filter finds the todos that match all terms`(row: Row) throws {
        #expect(
            try find(row.words.split(separator: " ").map(String.init)).joined(separator: " ") == row.found)
    }

    @Test(arguments: [
        "caf\u{E9}", "cafe\u{301}", "CAF\u{C9}", "CAFE\u{301}", "text:caf\u{E9}", "notes:cafe\u{301}",
        "tag:caf\u{E9}",
        "tag:CAFE\u{301}", "path:cafe\u{301}/", "place:caf\u{E9}", "place:CAFE\u{301}", "STRASSE",
    ])
    func `a word is found in any case and Unicode form`(word: String) throws {
        #expect(try find([word], in: Self.inBothForms).count == 2)
        #expect(try find(["-" + word], in: Self.inBothForms) == [])
    }

    @Test(arguments: [
        Row("is:pendin", "there is no state 'pendin'"), Row("is:Open", "there is no state 'Open'"),
        Row("due<someday", "'someday' is not a date"), Row("due:2026-02-30", "there is no such day"),
        Row("due<none", "'none' is not a date"), Row("estimate>lots", "neither a number nor a date"),
        Row("estimate>1,5", "neither a number nor a date"), Row("priority:urgent", "there is no priority"),
        Row("tag:", "'tag:' has no value"), Row("due<", "'due<' has no value"),
        Row("tag<home", "takes a colon"),
        Row("is<open", "takes a colon"), Row("path>a", "takes a colon"),
        Row("due=fri", "'due=fri' is not a term"), Row("Tag:home", "'Tag:home' is not a term"),
        Row("due!=fri", "'due!=fri' is not a term"), Row("-TAG=home", "'TAG=home' is not a term"),
        Row("Due<fri", "'Due<fri' is not a term"),
        Row("@urgent", "there is no filter '@urgent'"),
        Row("-@urgent", "there is no filter '@urgent'"),
    ])
    func `a wrong term is an error of the command line`(row: Row) throws {
        let error = try #require(throws: (any Error).self) { try find([row.words]) }
        let failure = Failure(error)
        #expect(failure.status == .usage)
        #expect(failure.message.contains(row.found), "\(failure.message)")
    }

    @Test func `a mistyped term is reported with the right one`() throws {
        for (typed, right) in [
            ("due=fri", "type due:fri, or text:due=fri to find the word"),
            ("due!=fri", "type -due:fri, or 'text:due!=fri' to find the word"),
            ("Tag:home", "type tag:home, or text:Tag:home to find the word"),
            ("Due<fri", "type 'due<fri', or 'text:Due<fri' to find the word"),
        ] {
            let error = try #require(throws: (any Error).self) { try find([typed]) }
            #expect(Failure(error).hint == right)
        }
        // Terms for the user's own fields are not mistyped.
        #expect(try find(["estimate=10"]) == [] && find(["People:anna"]) == [])
    }

    @Test(arguments: ["", "  "]) func `an empty saved filter is refused`(text: String) throws {
        let error = try #require(throws: (any Error).self) { try find(["@all"], saved: ["all": text]) }
        #expect(Failure(error).message == "the filter @all is empty")
        #expect(Failure(error).status == .configuration)
    }

    @Test(arguments: [
        ("is:done", true), ("is:pending", true), ("complete:true", true), ("is:overdue", false),
        ("overdue", false), ("-is:soon", false), ("tag:home", false),
    ])
    func `done todos count only if a term asks for a state that they can have`(word: String, isAsked: Bool)
        throws
    {
        var reader = SavedFilters(dates: Self.dates) { [:] }
        #expect(try reader.read([word]).asksForState == isAsked)
    }

    @Test func `the date in a term is shown unless it was typed as it is`() throws {
        var reader = SavedFilters(dates: Self.dates) { [ByteKey("soon"): "due<+3d"] }
        let filter = try reader.read(["due<fri", "due>2026-11-01", "-start>tomorrow", "@soon"])
        #expect(
            filter.understood == [
                "due<fri  Fri 2026-11-27", "start>tomorrow  Sun 2026-11-22", "due<+3d  Tue 2026-11-24",
            ])
    }

    @Test(arguments: [
        ("tag:home", true), ("-tag:home", true), ("not:tag:home", true), ("due<fri", true),
        ("due>=fri", true),
        ("overdue", true), ("-overdue", true), ("@urgent", true), ("-@urgent", true), ("is:open", true),
        ("Größe:5", true), ("a.b:c", true),
        ("milk", false), ("milk.yaml", false), ("work/milk.yaml", false), ("-milk", false),
        ("due=fri", false),
        ("text=a:b", false), ("tags+=a:b", false), ("12:30", false), ("http://a", false), ("@", false),
        ("", false), ("-", false), (":a", false), ("<5", false), ("Overdue", false), ("./a:b", false),
    ])
    func `a term has an operator after a field's name, or is a reserved word`(word: String, isTerm: Bool) {
        #expect(Filter.isTerm(word) == isTerm)
    }

    @Test(arguments: [
        ("list -tag:work", "list not:tag:work"), ("-C a list -overdue x", "-C a list not:overdue x"),
        ("set due=fri -tag:work", "set due=fri not:tag:work"), ("list --json -@a", "list --json not:@a"),
        ("list -- -tag:work", "list -- -tag:work"), ("add -note:x", "add -note:x"),
        ("list -milk", "list -milk"),
        ("-q list -q --all", "-q list -q --all"), ("add list -note:x", "add list -note:x"),
        ("list --tag=a:b", "list --tag=a:b"), ("", ""), ("-C", "-C"),
    ])
    func `the argument parser does not see a negated term`(words: String, expected: String) {
        let words = words.split(separator: " ").map(String.init)
        #expect(sparingNegatedTerms(in: words).joined(separator: " ") == expected)
    }

    // MARK: Saved filters

    @Test(arguments: [
        Row("@open-work", "work/plan work/tax"), Row("@none", "done old work/tax"),
        Row("@mine", "work/tax"), Row("-@mine", "done milk old work/plan"), Row("@mine -overdue", ""),
        Row("@words", "work/plan"),
    ])
    func `a saved filter stands for its words`(row: Row) throws {
        let saved = [
            "open-work": "path:work/ is:open", "none": "tag:none", "mine": "@open-work  @none",
            "words": "'the week' \"due<next week\"",
        ]
        #expect(
            try find(row.words.split(separator: " ").map(String.init), saved: saved).joined(separator: " ")
                == row.found)
    }

    @Test func `a saved filter that contains itself is an error`() throws {
        let saved = ["a": "tag:x @b", "b": "-@c", "c": "@a", "d": "@d", "e": "@d"]
        for name in ["a", "b", "c", "d"] {
            let failure = try #require(throws: Failure.self) { try find(["@" + name], saved: saved) }
            #expect(failure.status == .configuration)
            #expect(failure.message == "the filter @\(name) contains itself")
        }
        for (name, advice) in [
            ("a", "@a contains @b, @b contains @c and @c contains @a; change one of them"),
            ("d", "remove @d from its own words, under filters in config.yaml"),
            ("e", "remove @d from its own words"),
        ] {
            let failure = try #require(throws: Failure.self) { try find(["@" + name], saved: saved) }
            #expect(failure.hint?.hasPrefix(advice) == true, "\(failure.hint ?? "")")
        }
        let failure = try #require(throws: Failure.self) { try find(["@none"], saved: saved) }
        #expect(failure.hint?.contains("the filters are @a, @b, @c, @d and @e") == true)
    }

    @Test func `saved filters are read once, although many terms name them`() throws {
        var saved = ["last": "due<fri"]
        for level in 0...3 { saved["f\(level)"] = terms(level < 3 ? "@f\(level + 1)" : "@last", 10) }
        var loads = 0
        var reader = SavedFilters(dates: Self.dates) {
            loads += 1
            return Dictionary(uniqueKeysWithValues: saved.map { (ByteKey($0), $1) })
        }
        #expect(try reader.read(["@f0", "-@f1"]).saved.map(\.termCount) == [10_000, 1000])
        #expect(loads == 1)
    }

    @Test func `a saved filter has a limited number of terms`() throws {
        var saved = ["f8": "tag:x", "long": terms("i", 10_001), "most": terms("i", 10_000)]
        for level in 0...7 { saved["f\(level)"] = terms("@f\(level + 1)", 10) }
        saved["two"] = "@most @most"
        for (name, culprit) in [("f0", "f3"), ("f3", "f3"), ("long", "long"), ("two", "two")] {
            let failure = try #require(throws: Failure.self) { try find(["@" + name], saved: saved) }
            #expect(failure.status == .configuration)
            #expect(failure.message.hasPrefix("the filter @\(culprit) has more than 10000 terms"))
        }
        #expect(try find(["@f4"], saved: saved) == [])
        #expect(try find(["@most", "milk"], saved: saved) == ["milk"])
    }

    @Test func `a saved filter has a limited number of levels`() throws {
        var saved = ["c5000": "tag:home"]
        for level in 0..<5000 { saved["c\(level)"] = "@c\(level + 1)" }
        #expect(try find(["@c4901"], saved: saved) == ["milk"])
        for words in [["@c4900"], ["@c0"], ["@c4950", "@c4900"]] {
            let failure = try #require(throws: Failure.self) { try find(words, saved: saved) }
            #expect(failure.status == .configuration)
            #expect(
                failure.message.hasPrefix("the filter \(words.last ?? "") names filters that name others"))
        }
    }

    /// Returns the words of a filter that repeats a term.
    private func terms(_ term: String, _ count: Int) -> String {
        Array(repeating: term, count: count).joined(separator: " ")
    }

    @Test(arguments: [
        ("a b", ["a", "b"]), ("  a\t\nb  ", ["a", "b"]), ("", []), ("'a b' c", ["a b", "c"]),
        ("due<\"next week\"", ["due<next week"]), ("\"it's\" '\"'", ["it's", "\""]), ("''", [""]),
        ("'open end", ["open end"]),
    ])
    func `quotation marks keep words together`(text: String, words: [String]) {
        #expect(SavedFilters.words(of: text) == words)
    }
}
