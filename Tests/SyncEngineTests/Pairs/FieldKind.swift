/// A kind of field and the states that users bring it into: its lines in each state, nil if it is absent.
///
/// All edits start from the first state.
struct FieldKind: Sendable {
    let name: String
    let states: [State]

    struct State: Sendable {
        let name: String
        let lines: [String]?
    }

    init(_ name: String, _ states: KeyValuePairs<String, String?>) {
        self.name = name
        self.states = states.map { State(name: $0, lines: $1?.split(separator: "\n").map(String.init)) }
    }
}

extension FieldKind {
    static let all = scalars + [text, boolean, due, literal, plainLines] + lists + mappings + [unknown]

    private static let text = FieldKind(
        "text",
        [
            "base": "text: milk", "A": "text: bread", "B": "text: beer", "empty": "text: ''",
            "spelling": "text: \"milk\"", "lines": "text: |\n  milk\n  bread", "remark": "text: milk # two",
        ])

    private static let scalars = [
        FieldKind(
            "string",
            [
                "base": "color: red", "A": "color: green", "B": "color: blue", "removed": nil,
                "null": "color:", "spelling": "color: 'red'", "number": "color: 5", "list": "color: [red]",
                "mapping": "color:\n  red: 1", "remark": "color: red  # or so",
                "comment": "# or so\ncolor: red",
            ]),
        FieldKind(
            "number",
            [
                "base": "amount: 1.50", "A": "amount: 2", "B": "amount: 3", "A spelled": "amount: 0x2",
                "spelling": "amount: 1.5", "removed": nil, "string": "amount: '1.50'", "null": "amount: ~",
                "large": "amount: 123456789012345678901234567890",
            ]),
        FieldKind(
            "null", ["base": "wait: ~", "word": "wait: null", "removed": nil, "A": "wait: x", "B": "wait: y"]),
    ]

    private static let boolean = FieldKind(
        "complete",
        [
            "base": "complete: false", "true": "complete: true", "spelling": "complete: False",
            "removed": nil, "null": "complete: ~", "string": "complete: yes",
            "remark": "complete: false # not yet",
        ])

    private static let due = FieldKind(
        "due",
        [
            "base": "due: 2026-12-01T10:00:00Z", "A": "due: 2026-12-02", "B": "due: 2026-12-03",
            "spelling": "due: 2026-12-01T11:00:00+01:00", "removed": nil, "A spelled": "due: \"2026-12-02\"",
            "number": "due: 5",
        ])

    private static let literal = FieldKind(
        "literal",
        [
            "base": "notes: |\n  one\n  two\n  three\n  four\n  five",
            "first A": "notes: |\n  one a\n  two\n  three\n  four\n  five",
            "first B": "notes: |\n  one b\n  two\n  three\n  four\n  five",
            "last": "notes: |\n  one\n  two\n  three\n  four\n  five c",
            "line added": "notes: |\n  one\n  two\n  three\n  new\n  four\n  five",
            "line removed": "notes: |\n  one\n  two\n  four\n  five",
            "longer": "notes: |\n  one\n  two\n  three\n  four\n  five\n  six",
            "no last line break": "notes: |-\n  one\n  two\n  three\n  four\n  five",
            "spelling": "notes: \"one\\ntwo\\nthree\\nfour\\nfive\\n\"",
            "one line": "notes: one", "removed": nil, "list": "notes: [one]",
        ])

    private static let plainLines = FieldKind(
        "folded",
        [
            "base": "story: >\n  once upon\n  a time", "A": "story: >\n  once upon\n  a day",
            "B": "story: >\n  once under\n  a time", "spelling": "story: |\n  once upon a time",
            "removed": nil, "plain": "story: once upon",
        ])

    private static let unknown = FieldKind(
        "key that needs quotes",
        [
            "base": "\"x: y\": 1", "A": "\"x: y\": 2", "B": "\"x: y\": [1]", "removed": nil,
            "spelling": "'x: y': 1",
        ])

    private static let lists = [
        FieldKind(
            "flow list",
            [
                "base": "tags: [a, b, c]", "added": "tags: [a, b, c, d]", "other added": "tags: [a, e, b, c]",
                "removed": nil, "element removed": "tags: [a, c]", "element changed": "tags: [a, B, c]",
                "reordered": "tags: [c, a, b]", "otherwise": "tags: [b, a, c]", "empty": "tags: []",
                "block": "tags:\n  - a\n  - b\n  - c", "string": "tags: a", "twice": "tags: [a, b, b, c]",
                "nested": "tags: [a, [b], c]",
            ]),
        FieldKind(
            "block list",
            [
                "base": "who:\n- a   # first\n- 1\n- ~", "added": "who:\n- a   # first\n- 1\n- ~\n- '1'",
                "number spelled": "who:\n- a   # first\n- 1.0\n- ~", "removed": nil,
                "element removed": "who:\n- a   # first\n- ~", "remark removed": "who:\n- a\n- 1\n- ~",
                "flow": "who: [a, 1, ~]", "comment": "who:\n- a   # first\n# second\n- 1\n- ~",
            ]),
        FieldKind(
            "sequence",
            [
                "base": "weights: [70, 71, 71, 70]", "added": "weights: [70, 71, 71, 70, 72]",
                "added again": "weights: [70, 71, 71, 70, 70]",
                "added before": "weights: [69, 70, 71, 71, 70]",
                "first changed": "weights: [68, 71, 71, 70]", "first removed": "weights: [71, 71, 70]",
                "one of two removed": "weights: [70, 71, 70]", "reordered": "weights: [71, 70, 70, 71]",
                "block": "weights:\n- 70\n- 71\n- 71\n- 70", "set": "weights: [70, 71]", "removed": nil,
            ]),
        FieldKind(
            "numbers",
            [
                "base": "hours: [9, 17]", "last A": "hours: [9, 18]", "last B": "hours: [9, 20]",
                "first": "hours: [8, 17]", "both": "hours: [8, 18]", "added": "hours: [9, 17, 22]",
                "removed one": "hours: [17]", "spelled": "hours: [9.0, 17]", "removed": nil,
            ]),
    ]
}
