import Testing

@testable import todosync

/// The answers that the shells' scripts get.
@Suite struct CompletionAnswerTests {
    private func answer(_ candidates: [Candidate], _ line: String) -> CompletionAnswer {
        CompletionAnswer(.words(candidates), for: TypedLine(line))
    }

    private static let todos = [
        Candidate(value: "9b", description: "Buy milk"),
        Candidate(value: "3fa", description: "Call\u{1B}[31m Ann"),
    ]

    @Test func `zsh and fish get the words with what they stand for, without control characters`() {
        let answer = answer(Self.todos, "todosync done ")
        #expect(answer.lines(for: .fish) == ["words", "9b\tBuy milk", "3fa\tCall\\x1b[31m Ann"])
        #expect(answer.lines(for: .zsh) == ["words", "9b\t9b   Buy milk", "3fa\t3fa  Call\\x1b[31m Ann"])
    }

    @Test func `bash gets what a word stands for only to show it`() {
        let answer = answer(Self.todos, "todosync done ")
        #expect(
            answer.bashLines(typed: "", columns: 12, inserts: false)
                == ["words", "9b   Buy m…", "3fa  Call\\…"])
        #expect(answer.bashLines(typed: "", columns: 12, inserts: true) == ["words", "9b", "3fa"])
        let single = self.answer(Self.todos, "todosync done 3")
        #expect(single.bashLines(typed: "3", columns: 12, inserts: false) == ["words", "3fa"])
    }

    @Test(arguments: [
        ("todosync list tag:h", "h", "tag:home", "home"),
        ("todosync list tag:", "", "tag:home", "home"),
        ("todosync set 9b due=t", "t", "due=today", "today"),
        ("todosync list \"due<t", "due<t", "due<today", "due<today"),
        ("todosync list due\\<t", "due\\<t", "due<today", #"due\<today"#),
        ("todosync list tag:", "", "tag:a b;$(c)", #"a\ b\;\$\(c\)"#),
        ("todosync list \"tag:", "tag:", "tag:a b", "tag:a b"),
        ("todosync done ", "", "zürich.yaml", "zürich.yaml"),
    ])
    func `bash gets the part that it takes for the word, and quoted as needed`(
        _ line: String, _ typed: String, _ value: String, _ expected: String
    ) {
        let lines = answer([Candidate(value: value)], line).bashLines(
            typed: typed, columns: 80, inserts: false)
        #expect(lines == ["words", expected])
    }

    @Test(arguments: [
        (["tag:", "due<"], "open"), (["tag:", "overdue"], "words"), ([], "words"), (["work/"], "open"),
    ])
    func `no space follows words that go on`(_ words: [String], _ kind: String) {
        let lines = answer(words.map { Candidate(value: $0) }, "todosync list ").lines(for: .fish)
        #expect(lines[0] == kind)
    }

    @Test func `only words that begin like the typed one are sent, each once and in one line`() {
        let words = ["ab", "b", "ab", "a\nb"].map { Candidate(value: $0) }
        #expect(answer(words, "todosync x a").lines(for: .fish) == ["words", "ab"])
    }

    @Test func `a word completes in any Unicode form`() {
        for (typed, value) in [
            ("e\u{301}", "\u{E9}t\u{E9}"), ("\u{E9}", "e\u{301}te\u{301}"), ("e", "e\u{301}te\u{301}"),
        ] {
            let lines = answer([Candidate(value: value)], "todosync x \(typed)").lines(for: .fish)
            #expect(lines.count == 2, "\(typed)")
        }
    }

    @Test func `the shell completes paths itself`() {
        let line = TypedLine("todosync init ")
        #expect(CompletionAnswer(.folders, for: line).lines(for: .zsh) == ["folders"])
        #expect(
            CompletionAnswer(.files, for: line).bashLines(typed: "", columns: 80, inserts: false) == ["files"]
        )
    }
}
