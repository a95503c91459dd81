import LosslessYAML
import Testing
import TodoModel

@Suite struct LookalikeKeysTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    /// Returns the keys as bytes, because two strings with the same characters are equal.
    private func found(_ text: String) throws -> [[String]] {
        let document = try Document(parsing: Array(text.utf8))
        let found = document.lookalikeKeys()
        #expect(document.hasLookalikeKeys == !found.isEmpty)
        return found.map { $0.keys.map { "\($0.line) \(Array($0.name.utf8))" } }
    }

    private func key(_ line: Int, _ name: String) -> String { "\(line) \(Array(name.utf8))" }

    @Test func `the forms of one key are found with their lines`() throws {
        let (composed, decomposed) = (Self.composed, Self.decomposed)
        #expect(
            try found("\u{FEFF}text: t\r\n\(composed): 1\r\n\(decomposed): 2\r\n") == [
                [key(2, composed), key(3, decomposed)]
            ])
        #expect(
            try found("text: t\n{ }\n".replacing("{ }", with: "\"caf\\u00E9\": 1\n\(decomposed): 2")) == [
                [key(2, composed), key(3, decomposed)]
            ])
        // The Kelvin sign is the letter K to Unicode.
        #expect(try found("K: 1\n\u{212A}: 2\n") == [[key(1, "K"), key(2, "\u{212A}")]])
    }

    @Test func `they are found at every level, and in flow style`() throws {
        let (composed, decomposed) = (Self.composed, Self.decomposed)
        let pair = "{\(composed): 1, \(decomposed): 2}"
        let text = "text: t\na: \(pair)\nlist:\n  - x\n  - \(composed): 1\n    \(decomposed): 2\n"
        #expect(
            try found(text) == [
                [key(2, composed), key(2, decomposed)], [key(5, composed), key(6, decomposed)],
            ])
    }

    @Test(arguments: [
        "text: t\n", "caf\u{E9}: 1\ncafe: 2\n", "caf\u{E9}: 1\na:\n  cafe\u{301}: 2\n",
        "text: \"caf\u{E9} cafe\u{301}\"\n", "\u{430}: 1\na: 2\n",
    ])
    func `other keys do not look alike`(_ text: String) throws {
        #expect(try found(text) == [])
    }
}
