import LosslessYAML
import Testing

@Suite struct `An id is written as the first field` {
    @Test(arguments: [
        ("# for the weekend\ntext: a\n", "# for the weekend\nid: x1\ntext: a\n"),
        ("text: a", "id: x1\ntext: a"),
        ("\u{FEFF}text: a\r\n", "\u{FEFF}id: x1\r\ntext: a\r\n"),
        ("---\n\n  text: a\n", "---\n\n  id: x1\n  text: a\n"),
        ("{text: a}", "{id: x1, text: a}"), ("{ text: a }", "{ id: x1, text: a }"),
        ("--- {}\n", "--- {id: x1}\n"),
        ("{\n  # c\n  text: a\n}\n", "{\n  # c\n  id: x1, text: a\n}\n"),
        ("? text\n: a\n", "id: x1\n? text\n: a\n"), ("{ # c\n}", "{ # c\nid: x1}"),
    ])
    func `below the comments at the top`(before: String, after: String) throws {
        let document = try Document(parsing: Array(before.utf8))
        #expect(String(decoding: document.inserting(id: "x1"), as: UTF8.self) == after)
    }

    @Test func `in quotes where it would be no string`() throws {
        #expect(
            try Document(parsing: Array("a: 1\n".utf8)).inserting(id: "12")
                == Array("id: \"12\"\na: 1\n".utf8))
    }
}

@Suite struct `A new file is written plainly` {
    @Test func `in block style with short lists in brackets`() {
        let mapping: Mapping = [
            "id": "7c1e", "text": "milk: two", "complete": .bool(false), "tags": .list(["home", "a, b"]),
            "due": "2026-12-01",
            "notes": "two litres,\n\nthe blue one\n", "code": "  in\nout", "none": .null,
            "empty": .mapping([:]), "n": .json("1.10"),
            "steps": .list([
                .mapping(["text": "x", "more": .mapping(["y": .list([])])]), .list([.list(["z\n"])]),
            ]),
            "long": .list([.string(String(repeating: "a", count: 80))]),
        ]
        let text = """
            id: 7c1e
            text: "milk: two"
            complete: false
            tags: [home, "a, b"]
            due: 2026-12-01
            notes: |
              two litres,

              the blue one
            code: |2-
                in
              out
            none: null
            empty: {}
            n: 1.10
            steps:
              - text: x
                more:
                  y: []
              - - - |
                    z
            long:
              - \(String(repeating: "a", count: 80))

            """
        #expect(String(decoding: emit(mapping), as: UTF8.self) == text)
        #expect(emit([:]) == Array("{}\n".utf8))
    }
}
