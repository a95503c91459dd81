import LosslessYAML
import Testing

@testable import ThreeWayMerge

/// How texts are normalized before they are merged by lines, and restored afterward.
@Suite struct TextConventionsTests {
    @Test(arguments: [
        ("{id: a, text: t}\n", "id: a\ntext: t\n"), ("{id: a, text: t}", "id: a\ntext: t\n"),
        ("{\"id\": a, text: 't' , }\n", "\"id\": a\ntext: 't'\n"),
        ("{id: a, text: t} # end\n", "id: a\ntext: t\n# end\n"),
        ("{id: a, text: t}  \t\n", "id: a\ntext: t\n"),
        ("{id: a, text: t}\t # end", "id: a\ntext: t\n# end\n"),
        ("# c\n  {id: a, text: t}\n", "# c\nid: a\ntext: t\n"),
        ("{id: a, text: t}\n\n# end\n", "id: a\ntext: t\n\n# end\n"),
        ("--- {id: a, text: t}\r\n# end\r\n", "---\nid: a\ntext: t\n# end\n"),
        ("---\n{id: a, text: t}\n...\n", "---\nid: a\ntext: t\n...\n"),
        ("{id: a, text: t, l: [p,\n  q], m: {k: 1}}\n", "id: a\ntext: t\nl: [p, q]\nm: {k: 1}\n"),
        ("{id: a,\n  # why\n  text: t}\n", "id: a\n# why\ntext: t\n"),
        ("id: a\ntext: t", "id: a\ntext: t\n"), ("\u{feff}id: a\ntext: t\n", "id: a\ntext: t\n"),
        ("id: a\r\ntext: t\r", "id: a\ntext: t\n"), ("id: a\rtext: t", "id: a\ntext: t\n"),
    ])
    func `a normalized text has complete lines, and each field on a separate line`(
        text: String, expected: String
    ) throws {
        let document = try document(text)
        for end in ["\n", "\r\n", "\r"] {
            let conventions = TextConventions(of: Array("x: 1\(end)".utf8))
            let lineBreak = end == "\r" ? "\n" : end
            let prepared = conventions.prepare(document)
            #expect(string(prepared.bytes) == expected.replacing("\n", with: lineBreak))
            #expect(prepared.fields == document.fields)
        }
    }
}
