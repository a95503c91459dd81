import LosslessYAML
import Testing

@Suite struct `An id is written as the first field` {
    @Test(arguments: [
        ("# for the weekend\ntext: a\n", "# for the weekend\nid: x1\ntext: a\n"),
        ("text: a", "id: x1\ntext: a"),
        ("\u{FEFF}text: a\r\n", "\u{FEFF}id: x1\r\ntext: a\r\n"),
        ("---\n\n  text: a\n", "---\n\n  id: x1\n  text: a\n"),
        ("{text: a}", "{id: x1, text: a}"), ("{\"text\": 1}", "{\"id\": \"x1\", \"text\": 1}"),
        ("{ text: a }", "{ id: x1, text: a }"),
        ("--- {}\n", "--- {id: x1}\n"),
        ("{\n  # c\n  text: a\n}\n", "{\n  # c\n  id: x1, text: a\n}\n"),
        ("? text\n: a\n", "id: x1\n? text\n: a\n"), ("{ # c\n}", "{ # c\nid: x1}"),
    ])
    func `below the comments at the top`(before: String, after: String) throws {
        let document = try Document(parsing: Array(before.utf8))
        #expect(String(decoding: document.inserting(id: "x1"), as: UTF8.self) == after)
    }

    @Test func `in quotes if it would not be a string otherwise`() throws {
        #expect(
            try Document(parsing: Array("a: 1\n".utf8)).inserting(id: "12")
                == Array("id: \"12\"\na: 1\n".utf8))
    }
}

@Suite struct `A new file is written plainly` {
    @Test(arguments: [
        "yes", "Yes", "NO", "on", "Off", "yEs", "tRue", "nULL", "fALSE", "0777", "0o7", "1_000", "1,000",
        "0b1_0", "0x_f", "-1_0",
        "12:30",
        "+190:20:30.15", "1_0.5", "._5", "1_0e3", "=", "<<",
    ])
    func `with quotes around a string that YAML 1.1 reads as something else`(string: String) {
        #expect(String(decoding: emit(["a": .string(string)]), as: UTF8.self) == "a: \"\(string)\"\n")
        #expect(emit([string: .bool(true)]).first == UInt8(ascii: "\""))
    }

    @Test(arguments: ["y", "Y", "n", "N"])
    func `with quotes around a letter that only YAML 1.1's table reads as a boolean, except as a key`(
        letter: String
    ) {
        #expect(
            String(decoding: emit([letter: .string(letter)]), as: UTF8.self) == "\(letter): \"\(letter)\"\n")
    }

    @Test(arguments: [
        "yesterday", "o", "only", "2026-12-01", "2026-12-01T12:30:00Z", "12:61", "12:30 sharp",
        "1.2.3", "v1",
        "0b2", "0x_g", "1_a", "-_", "==", "<", "1:", ".", "+", "3d", "e5", "1e",
    ])
    func `without quotes around other strings and dates`(string: String) {
        // A colon at the end would turn it into a key.
        let isKey = string.hasSuffix(":")
        let spelling = isKey ? "\"\(string)\"" : string
        #expect(String(decoding: emit(["a": .string(string)]), as: UTF8.self) == "a: \(spelling)\n")
    }

    @Test func `in block style, with short lists in brackets`() {
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
