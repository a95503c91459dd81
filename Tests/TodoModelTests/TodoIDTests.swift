import Testing
import TodoModel

@Suite struct TodoIDTests {
    @Test(arguments: [
        "a", "A", "7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c11", "with space", " a", "ä", "e\u{301}", "日本", "🛒",
        "...", ".a",
        "a:b", "#", "'", "~", "null", "1", "a\u{A0}", String(repeating: "x", count: 255),
        String(repeating: "🛒", count: 255),
    ])
    func `what the tables protocol allows is an id`(_ string: String) {
        #expect(TodoID(string)?.string == string)
        #expect(TodoID.problem(with: string) == nil)
    }

    @Test(arguments: [
        "", " ", "\u{3000}\t", ".", "..", "a+b", "a?b", "a\"b", "a/b", "a\\b", "a`b", "a\nb", "\0", "a\u{1B}",
        "\u{7F}",
        "a\u{80}", "a\u{9F}b", "\u{85}", String(repeating: "x", count: 256),
        String(repeating: "🛒", count: 256),
    ])
    func `what it forbids is none, with a reason`(_ string: String) {
        #expect(TodoID(string) == nil)
        #expect(TodoID.problem(with: string)?.isEmpty == false)
    }

    @Test func `ids are compared byte by byte, not as Unicode does`() throws {
        let composed = try #require(TodoID("\u{E9}"))
        let decomposed = try #require(TodoID("e\u{301}"))
        #expect(composed.string == decomposed.string, "Swift's strings are equal")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
    }

    @Test(arguments: [("a", "b"), ("B", "a"), ("a", "aa"), ("Z", "a"), ("a-", "aa"), ("z", "ä"), ("9", "A")])
    func `the order is the one of the bytes, on every machine`(_ smaller: String, _ larger: String) throws {
        let (smaller, larger) = (try #require(TodoID(smaller)), try #require(TodoID(larger)))
        #expect(smaller < larger)
        #expect(!(larger < smaller) && !(smaller < smaller))
    }

    @Test func `ids that differ only in case fold to the same`() throws {
        #expect(try #require(TodoID("ABC-ä")).folded == #require(TodoID("abc-Ä")).folded)
        #expect(try #require(TodoID("a")).folded != #require(TodoID("b")).folded)
    }

    @Test func `the beginning is what names are made unique by`() throws {
        #expect(try #require(TodoID("7c1e0f0a-9a0e")).beginning == "7c1e0f0a")
        #expect(try #require(TodoID("abc")).beginning == "abc")
    }
}
