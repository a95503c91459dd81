import LosslessYAML
import Testing

@Suite struct `An edit changes only its own lines` {
    struct Row: CustomTestStringConvertible, Sendable {
        let before: String
        let fields: Mapping
        let after: String

        /// Creates an edit that sets the given fields; nil removes a field.
        init(_ before: String, _ changes: [(String, Value?)], _ after: String) {
            var fields = (try? Document(parsing: Array(before.utf8)))?.fields ?? [:]
            for (key, value) in changes { fields[key] = value }
            (self.before, self.fields, self.after) = (before, fields, after)
        }

        var testDescription: String { "\(before.debugDescription) → \(after.debugDescription)" }
    }

    private static func check(_ row: Row) throws {
        let document = try Document(parsing: Array(row.before.utf8))
        #expect(String(decoding: document.updated(to: row.fields), as: UTF8.self) == row.after)
        #expect(try Document(parsing: Array(row.after.utf8)).fields == row.fields)
    }

    @Test(arguments: [
        Row("text: a # c\nb: 1\n", [("text", "x")], "text: x # c\nb: 1\n"),
        Row("text: 'a'\n", [("text", "it's")], "text: 'it''s'\n"),
        Row(
            #"{"a": "\ud83c\udf89", "é": "\ud83c\udf89", "b": 1}"#, [("b", .json("2"))],
            #"{"a": "\ud83c\udf89", "é": "\ud83c\udf89", "b": 2}"#),
        Row(
            #"{"a": ["x"], "n": 1}"#,
            [
                ("a", .list(["x", "y"])), ("n", "z"),
                ("m", .mapping(["k": .list([.mapping(["l": "v"]), .null])])),
            ],
            #"{"a": ["x", "y"], "n": "z", "m": {"k": [{"l": "v"}, null]}}"#),
        Row(#"{"a": "x", n: 1}"#, [("n", "z"), ("m", "v")], #"{"a": "x", n: z, m: v}"#),
        Row(
            "tags:\n  # why\n  - home # mine\ntext: x\n", [("tags", .list([]))],
            "tags: []\n  # why\ntext: x\n"),
        Row(
            "tags: # all\n- home\n# last\n- shop\ntext: x\n", [("tags", .list([]))],
            "tags: [] # all\n  # last\ntext: x\n"),
        Row(
            "tags: [ # why\n  home, # mine\n]\ntext: x\n", [("tags", .list([]))],
            "tags: [ # why\n   # mine\n]\ntext: x\n"),
        Row(
            "notes: >\n  a\n  b\ntext: x\n", [("notes", "a b\nc\n")],
            "notes: >\n  a\n  b\n\n  c\ntext: x\n"),
        Row(
            "notes: >-\n  a\n  b\n\n  c", [("notes", "a b\nc\n\nd e")],
            "notes: >-\n  a\n  b\n\n  c\n\n\n  d e"),
        Row("text: 'a'\n", [("text", "a\tb")], "text: \"a\\tb\"\n"),
        Row("text: \"a\" # c\n", [("text", "x")], "text: \"x\" # c\n"),
        Row("text: \"1\"\n", [("text", "2")], "text: \"2\"\n"),
        Row("text: a\n", [("text", "2")], "text: \"2\"\n"),
        Row("text: a\n", [("text", "a: b")], "text: \"a: b\"\n"),
        Row("text: a\n", [("text", "say \"a: b\"")], "text: 'say \"a: b\"'\n"),
        Row("text: a\n", [("text", "no")], "text: \"no\"\n"),
        Row("due: 1\n", [("due", "2026-12-01")], "due: 2026-12-01\n"),
        Row("text: a\n", [("text", "")], "text: \"\"\n"), Row("n: 0x10\n", [("n", .json("17"))], "n: 17\n"),
        Row("n: 0x10\n", [("n", .json("16.0"))], "n: 0x10\n"), Row("n: 1\n", [("n", "1")], "n: \"1\"\n"),
        Row("n: '1'\n", [("n", .json("1"))], "n: 1\n"),
        Row("a: # c\nb: 1\n", [("a", "x")], "a: x # c\nb: 1\n"),
        Row("a:\nb: 1", [("a", .bool(true))], "a: true\nb: 1"),
        Row("a: ~\n", [("a", .bool(false))], "a: false\n"),
        Row("a: x # c\n", [("a", .null)], "a: null # c\n"), Row("text: a", [("text", "x")], "text: x"),
        Row("a:\n  # between\n  x # c\nb: 1\n", [("a", "w")], "a:\n  # between\n  w # c\nb: 1\n"),
        Row("a: one\n  two # c\nb: 1\n", [("a", "w")], "a: w # c\nb: 1\n"),
        Row("? a # k\n: x # c\n", [("a", "w")], "? a # k\n: w # c\n"),
        Row("? a\nb: 1\n", [("a", "w")], "a: w\nb: 1\n"),
        Row("a: !!str 1\n", [("a", "2")], "a: \"2\"\n"),
        Row("\u{FEFF}# c\r\ntext: a\r\nb: 1\r\n", [("text", "x")], "\u{FEFF}# c\r\ntext: x\r\nb: 1\r\n"),
    ])
    func `a scalar keeps its style and its comment`(row: Row) throws { try Self.check(row) }

    @Test(arguments: [
        Row("a: 1\n", [("b", "x")], "a: 1\nb: x\n"), Row("a: 1", [("b", "x")], "a: 1\nb: x"),
        Row("a: 1\r\n", [("b", "x\nw\n")], "a: 1\r\nb: |\r\n  x\r\n  w\r\n"),
        Row("a: 1 # c\n\n# end\n", [("b", "x")], "a: 1 # c\nb: x\n\n# end\n"),
        Row("---\na: 1\n...\n", [("b", "x"), ("c", .list(["w"]))], "---\na: 1\nb: x\nc: [w]\n...\n"),
        Row(
            "  a: 1\n", [("b", .mapping(["c": .list(["x\nw"])]))],
            "  a: 1\n  b:\n    c:\n      - |-\n        x\n        w\n"),
        Row("a: |\n  x", [("b", "w")], "a: |-\n  x\nb: w"),
        Row("a: |\n  x\n\n\n# c\n", [("b", "w")], "a: |\n  x\nb: w\n\n\n# c\n"),
        Row("a: |+\n  x\n\n", [("b", "w")], "a: |+\n  x\n\nb: w\n"),
        Row("a:\n    b: 1\n", [("c", .mapping(["d": .null]))], "a:\n    b: 1\nc:\n    d: null\n"),
        Row("a: 1\n  # deeper\n# not\n", [("b", "w")], "a: 1\n  # deeper\nb: w\n# not\n"),
        Row("{a: 1}\n", [("b", "x")], "{a: 1, b: x}\n"), Row("{}", [("b", "x")], "{b: x}"),
        Row("{ # c\n}\n", [("b", "x")], "{b: x  # c\n}\n"),
        Row("{a: 1,\n # c\n}\n", [("b", "x, w")], "{a: 1, b: \"x, w\",\n # c\n}\n"),
        Row(
            "a: 1\n", [("\u{2028}", "x"), ("- k", "w"), ("---", "z")],
            "a: 1\n\"\\u2028\": x\n\"- k\": w\n\"---\": z\n"),
    ])
    func `a new field is added at the end`(row: Row) throws { try Self.check(row) }

    @Test(arguments: [
        Row("a: 1\n# about b\nb: 2 # c\n  # deeper\n\nc: 3\n", [("b", nil)], "a: 1\n# about b\n\nc: 3\n"),
        Row("a: 1\nb: 2", [("b", nil)], "a: 1"), Row("a: 1\nb: |\n  x", [("b", nil)], "a: 1"),
        Row("a: |\n  x\nb: 2", [("b", nil)], "a: |\n  x\n"),
        Row("a: |+\n  x\nb: 2\n\nc: 3\n", [("b", nil)], "a: |+\n  x\nc: 3\n"),
        Row("a: 1\n", [("a", nil)], "{}\n"), Row("{a: 1, b: 2, c: 3}", [("b", nil)], "{a: 1, c: 3}"),
        Row("{a: 1, b: 2}", [("b", nil)], "{a: 1}"), Row("{a: 1, b: 2}", [("a", nil)], "{b: 2}"),
        Row("{ a: 1 }", [("a", nil)], "{}"),
        Row("{a: 1, # c\n b: 2,\n}", [("b", nil)], "{a: 1, # c\n \n}"),
        Row("{a: 1, # c\n b: 2}", [("a", nil)], "{ # c\n b: 2}"),
        Row("a:\n  b: 1\n  # c\nd: 2\n", [("a", .mapping([:]))], "a: {}\n  # c\nd: 2\n"),
        Row("a: # c\n- x\nd: 2\n", [("a", .list([]))], "a: [] # c\nd: 2\n"),
    ])
    func `removing a field removes its lines, and comments stay`(row: Row) throws { try Self.check(row) }

    @Test(arguments: [
        Row(
            "tags: [home,  'shop'] # c\n", [("tags", .list(["home", "shop", "new"]))],
            "tags: [home,  'shop', new] # c\n"),
        Row(
            "tags: [home,  'shop']\n", [("tags", .list(["new", "home", "shop"]))],
            "tags: [new, home,  'shop']\n"),
        Row("tags: [home, 'shop', x]\n", [("tags", .list(["home", "x"]))], "tags: [home, x]\n"),
        Row("tags: [home, 'shop']\n", [("tags", .list(["home", "market"]))], "tags: [home, 'market']\n"),
        Row("tags: [home]\n", [("tags", .list([]))], "tags: []\n"),
        Row("tags: [ ]\n", [("tags", .list(["a", "b, c"]))], "tags: [a, \"b, c\"]\n"),
        Row(
            "tags: [\n  home, # h\n  shop,\n]\n", [("tags", .list(["home", "shop", "x"]))],
            "tags: [\n  home, # h\n  shop, x,\n]\n"),
        Row("tags: [\n  home,\n  shop\n]\n", [("tags", .list(["shop"]))], "tags: [\n  shop\n]\n"),
        Row(
            "tags: [\n  home, # h\n  shop # s\n]\n", [("tags", .list(["home"]))],
            "tags: [\n  home, # h\n   # s\n]\n"),
        Row(
            "tags:\n- home # h\n# s\n- shop\n", [("tags", .list(["home", "x", "shop"]))],
            "tags:\n- home # h\n- x\n# s\n- shop\n"),
        Row(
            "tags:\n  - home\n  - shop\nb: 1\n", [("tags", .list(["shop", "1"]))],
            "tags:\n  - shop\n  - \"1\"\nb: 1\n"),
        Row("tags:\n  - 'home' # h\nb: 1\n", [("tags", .list(["shop"]))], "tags:\n  - 'shop' # h\nb: 1\n"),
        Row("a:\n  - - x\n    - w\n", [("a", .list([.list(["w"])]))], "a:\n  - - w\n"),
        Row("a:\n  - - x\n    # c\n    - w\n", [("a", .list([.list(["w"])]))], "a:\n  -\n    # c\n    - w\n"),
        Row("a:\n  - - x\n", [("a", .list([.list(["w", "x"])]))], "a:\n  - - w\n    - x\n"),
        Row(
            "a:\n- text: x # c\n  done: false\n- text: w\n",
            [("a", .list([.mapping(["text": "x", "done": .bool(true)]), .mapping(["text": "w"])]))],
            "a:\n- text: x # c\n  done: true\n- text: w\n"),
        Row(
            "a:\n- text: x\n  n: 1\n- text: w # c\n",
            [("a", .list([.mapping(["text": "w", "n": .json("2")])]))], "a:\n- text: w # c\n  n: 2\n"),
        Row("a:\n- text: x\n  n: 1\n", [("a", .list([.mapping(["n": .json("1")])]))], "a:\n- n: 1\n"),
        Row(
            "a:\n- {text: x}\n", [("a", .list([.mapping(["text": "x", "n": .null])]))],
            "a:\n- {text: x, n: null}\n"),
        Row("a: [b: 1]\n", [("a", .list([.mapping(["b": .json("2")])]))], "a: [{b: 2}]\n"),
        Row(
            "a: {b: , c, d: 1}\n", [("a", .mapping(["b": "x", "c": "w", "d": .json("1")]))],
            "a: {b: x , c: w, d: 1}\n"),
        Row(
            "l: [\n  p, # p\n  q, # q\n]\n", [("l", .list(["p", "o", "q", "r", "s"]))],
            "l: [\n  p, # p\n  o,\n  q, # q\n  r,\n  s,\n]\n"),
        Row(
            "l: [\n  p # p\n]\n", [("l", .list(["p", "q", "r"]))], "l: [\n  p, # p\n  q,\n  r\n]\n"),
    ])
    func `a list is edited item by item`(row: Row) throws { try Self.check(row) }

    @Test(arguments: [
        Row(
            "tags:\n  - a # ca\n  # above b\n  - 'b' # cb\n  - c # cc\nd: 1\n",
            [("tags", .list(["c", "b", "a"]))],
            "tags:\n  - c # cc\n  # above b\n  - 'b' # cb\n  - a # ca\nd: 1\n"),
        Row("tags:\n# about a\n- a\n- b", [("tags", .list(["b", "a"]))], "tags:\n- b\n# about a\n- a"),
        Row(
            "tags:\r\n# about a\r\n- a\r\n- b\r\n", [("tags", .list(["b", "a"]))],
            "tags:\r\n- b\r\n# about a\r\n- a\r\n"),
        Row(
            "tags: # all\n- a\n\n- b # one\n- b # two\n", [("tags", .list(["b", "b", "a"]))],
            "tags: # all\n\n- b # one\n- b # two\n- a\n"),
        Row(
            "a:\n- text: x # c\n  n: |\n    one\n- text: w\n",
            [("a", .list([.mapping(["text": "w"]), .mapping(["text": "x", "n": "one\n"])]))],
            "a:\n- text: w\n- text: x # c\n  n: |\n    one\n"),
    ])
    func `reordered items keep their comments`(row: Row) throws {
        try Self.check(row)
    }

    @Test(arguments: [
        Row(
            "n: |\n    one\n\n    three\nb: 1\n", [("n", "one\n\ntwo\nthree\n")],
            "n: |\n    one\n\n    two\n    three\nb: 1\n"),
        Row("n: | # c\n one\n two\n\n\nb: 1\n", [("n", "one\ntwo")], "n: |- # c\n one\n two\n\n\nb: 1\n"),
        Row("n: |-\n one\n", [("n", "one\ntwo\n")], "n: |\n one\n two\n"),
        Row("n: |\n one\n", [("n", " one\n")], "n: |1\n  one\n"),
        Row("n: |2+\n   one\n\nb: 1\n", [("n", " one\n\n\n")], "n: |2+\n   one\n\n\nb: 1\n"),
        Row("n: |\n one\nb: 1\n", [("n", "one\n\n")], "n: |+\n one\n\nb: 1\n"),
        Row("n: |\n one\n\nb: 1\n", [("n", "one\n\n")], "n: \"one\\n\\n\"\n\nb: 1\n"),
        Row("n: |\n one\n", [("n", "two")], "n: |-\n two\n"), Row("n: |\n one\n", [("n", "")], "n: \"\"\n"),
        Row("n: |\n one\n", [("n", "a\u{7}\n")], "n: \"a\\x07\\n\"\n"),
        Row("n: >\n one\n two\nb: 1\n", [("n", "one two\nthree\n")], "n: >\n one\n two\n\n three\nb: 1\n"),
        Row("n: >\n one\n two\n", [("n", "one two")], "n: >-\n one\n two\n"),
        Row("n: >\n one\n", [("n", " in\n")], "n: |2\n   in\n"),
        Row("n: a # c\nb: 1\n", [("n", "x\nw\n")], "n: | # c\n  x\n  w\nb: 1\n"),
        Row("n: \"a\\nb\"\n", [("n", "x\nw\n")], "n: \"x\\nw\\n\"\n"),
        Row("n: |\r\n  x\r\n  w\r\n", [("n", "x\nz\n")], "n: |\r\n  x\r\n  z\r\n"),
        Row("a:\n- |\n  x\n- w\n", [("a", .list(["x\nz\n", "w"]))], "a:\n- |\n  x\n  z\n- w\n"),
        Row("n: x\n      \nb: 1\n", [("n", "x\nw\n")], "n: \"x\\nw\\n\"\n      \nb: 1\n"),
        Row("n: x\n    # deeper\n", [("n", "x\nw\n")], "n: \"x\\nw\\n\"\n    # deeper\n"),
        Row("n: x\n      \n", [("m", "x\nw\n")], "n: x\nm: \"x\\nw\\n\"\n      \n"),
        Row("n: |\n  x\na: 1\n      \nb: 1\n", [("a", nil)], "n: |\n  x\nb: 1\n"),
    ])
    func `a block scalar stays a block scalar, and its other lines stay`(row: Row) throws {
        try Self.check(row)
    }

    @Test(arguments: [
        Row(
            "a: x # c\nb: 1\n", [("a", .mapping(["k": .mapping(["l": .null])]))],
            "a: # c\n  k:\n    l: null\nb: 1\n"),
        Row("a: [x] # c\n", [("a", .mapping(["k": .null]))], "a: # c\n  k: null\n"),
        Row("a:\n  b: 1\n  # d\nc: 2\n", [("a", "x")], "a: x\nc: 2\n"),
        Row("a: |  # c\n  x\nb: 1\n", [("a", .json("5"))], "a: 5  # c\nb: 1\n"),
        Row("a: |\n  x\nb: 1\n", [("a", .list(["x\n"]))], "a:\n  - |\n    x\nb: 1\n"),
        Row("a:\n- x: 1\n  w: 2\n- z\n", [("a", .list(["w", "z"]))], "a:\n- w\n- z\n"),
        Row(
            "a:\n- x\n- z\n", [("a", .list([.mapping(["k": "v", "l": .null]), "z"]))],
            "a:\n- k: v\n  l: null\n- z\n"),
        Row("a:\n- x # c\n", [("a", .list([.mapping(["k": "v"])]))], "a:\n- # c\n  k: v\n"),
        Row("a: x", [("a", .list([.list(["\n"]), .mapping(["k": "v"])]))], "a:\n  - - \"\\n\"\n  - k: v"),
        Row("a:\n  # c\n  x\nb: 1\n", [("a", .mapping(["k": "v"]))], "a:\n  # c\n  k: v\nb: 1\n"),
        Row("a: {} # c\n", [("a", .mapping(["k": "v"]))], "a: # c\n  k: v\n"),
        Row(
            "a: []\n", [("a", .list([.mapping(["text": "x"]), .mapping(["text": "w"])]))],
            "a:\n  - text: x\n  - text: w\n"),
        Row("a: [ # c\n]\n", [("a", .list(["x"]))], "a: [x  # c\n]\n"),
        Row("a: |-\n\n     \nb: 1\n", [("a", "x\nw")], "a: \"x\\nw\"\n\n     \nb: 1\n"),
    ])
    func `a value of another type replaces it`(row: Row) throws { try Self.check(row) }

    @Test(arguments: [
        Row("a: &x 1\nb: *x\n", [("a", .json("2"))], "a: &x 2\nb: 1\n"),
        Row("a: &x 1\nb: *x # c\n", [("b", .json("2"))], "a: &x 1\nb: 2 # c\n"),
        Row("a: &x 1\nb: *x\n", [("a", .json("2")), ("b", .json("2"))], "a: &x 2\nb: *x\n"),
        Row("a: &x 1\nb: *x\nc: *x\n", [("a", nil)], "b: 1\nc: 1\n"),
        Row(
            "a: &x\n  k: [1]\nb: *x\n", [("a", .mapping(["k": .list([])]))],
            "a: &x\n  k: []\nb:\n  k: [1]\n"),
        Row("a: &x\n  k: &w 1\nb: *w\n", [("a", "z")], "a: &x z\nb: 1\n"),
        Row("a: {k: &x v, l: *x}\n", [("a", .mapping(["k": "w", "l": "v"]))], "a: {k: &x w, l: v}\n"),
        Row("a: &x k\n*x : 1\n", [("a", "l")], "a: &x l\nk : 1\n"),
        Row("&x a: 1\nb: *x\n", [("a", nil)], "b: a\n"),
        Row("&x a: 1\nb: *x\n", [("a", "z")], "&x a: z\nb: *x\n"),
        Row("a: &x 1\nb: &x 2\nc: *x\n", [("a", .json("3"))], "a: &x 3\nb: &x 2\nc: *x\n"),
        Row("a: &x\nb: *x\n", [("a", "z")], "a: &x z\nb: null\n"),
    ])
    func `an alias keeps its value when its anchor's changes`(row: Row) throws { try Self.check(row) }

    @Test(arguments: [
        Row("{text: t, doc: }\n", [("complete", .bool(true))], "{text: t, doc: , complete: true }\n"),
        Row(
            "# a\n{text: t, # b\n  doc: # c\n} # d\n", [("complete", .bool(true))],
            "# a\n{text: t, # b\n  doc: , # c\n  complete: true\n} # d\n"),
        Row(
            "{text: t, # a\n  doc:\n  # b\n}\n", [("text", "u"), ("n", .json("1"))],
            "{text: u, # a\n  doc: , n: 1\n  # b\n}\n"),
    ])
    func `a todo in flow style keeps its style after an empty value`(row: Row) throws { try Self.check(row) }

    @Test func `equal values leave the text unchanged`() throws {
        let text = "b: 0x1F # c\n\na:   [ 1 , 'x' ]\n"
        let document = try Document(parsing: Array(text.utf8))
        let target: Mapping = ["a": .list([.json("1.0"), "x"]), "b": .json("31")]
        #expect(document.updated(to: target) == Array(text.utf8))
    }

    @Test func `no comment is dropped to make room`() throws {
        let comments = String(repeating: "# \(String(repeating: "x", count: 98))\n", count: 9000)
        let document = try Document(parsing: Array("text: a\n\(comments)b: 1\n".utf8))
        let large = String(repeating: "y", count: 200_000)
        // The caller refuses the text, because it is larger than a document can be.
        #expect(document.updated(to: ["text": .string(large), "b": .json("1")]).count > Document.maximumSize)
    }
}
