import Testing

@testable import todosync

/// Command lines up to the cursor, split into words.
@Suite struct TypedLineTests {
    @Test(
        arguments: [
            ("", [], "", nil),
            ("todosync ", ["todosync"], "", nil),
            ("todosync  list tag:h", ["todosync", "list"], "tag:h", nil),
            (#"todosync done buy\ milk"#, ["todosync", "done"], "buy milk", nil),
            (#"todosync list "due<f"#, ["todosync", "list"], "due<f", "\""),
            (#"todosync list 'it is' "a \" \n"#, ["todosync", "list", "it is"], "a \" \\n", "\""),
            (#"todosync add '' "#, ["todosync", "add", ""], "", nil),
            (#"todosync add a'b c'd"#, ["todosync", "add"], "ab cd", nil),
            (#"todosync add \"#, ["todosync", "add"], "", nil),
        ] as [(String, [String], String, Character?)])
    func `a line is read as a shell does`(
        _ text: String, _ words: [String], _ last: String, _ quote: Character?
    ) {
        let line = TypedLine(text)
        #expect(line.words == words)
        #expect(line.last == last)
        #expect(line.quote == quote)
    }

    @Test(arguments: [
        (["aa1", "aa2", "aa2x", "b"], "a", ["aa1 1", "aa2 2"]),
        (["aa1", "b2", "b3"], "", ["a 1", "b 2"]),
        (["ab", "abc"], "a", ["ab 1", "abc 1"]),
        (["ab"], "x", []),
    ])
    func `names begin with what they share and one character more`(
        _ names: [String], _ word: String, _ expected: [String]
    ) {
        #expect(beginnings(of: names, after: word).map { "\($0.text) \($0.count)" } == expected)
    }
}
