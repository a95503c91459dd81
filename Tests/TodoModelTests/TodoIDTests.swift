import TestSupport
import Testing
import TodoModel
import Values

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
    func `a forbidden text is refused, with a reason`(_ string: String) {
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

    @Test func `an id in upper case folds to the UUID that it is in lower case`() throws {
        let uuid = "7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c11"
        let lower = try #require(TodoID(uuid))
        let upper = try #require(TodoID(uuid.uppercased()))
        #expect(upper.folded == lower && upper != lower)
        #expect(lower.isFolded && !upper.isFolded)
        #expect(upper.string == uuid.uppercased() && upper.uuid == nil && lower.uuid?.string == uuid)
    }

    @Test func `UUIDs are ordered among all ids by the bytes of their texts`() {
        var random = SplitMix64(seed: 11)
        let digits = Array("0123456789abcdef")
        let uuids = (0..<60).map { number in
            String(
                "00000000-0000-4000-8000-00000000000\(number % 10)".map { character in
                    character == "0" && random.next() % 3 == 0
                        ? digits[Int(random.next() % 16)] : character
                })
        }
        let others = ["", "0", "7", "g", "a-b", "ABCDEF01-2345-4789-8abc-def012345678", "ä", "00000000"]
        let ids = (uuids + others + uuids.map { $0 + "0" } + uuids.map { String($0.dropLast()) })
            .compactMap { TodoID($0) }
        for left in ids {
            for right in ids {
                #expect((left < right) == left.string.utf8.lexicographicallyPrecedes(right.string.utf8))
                #expect((left == right) == (left.string == right.string))
                if left == right { #expect(left.hashValue == right.hashValue) }
            }
        }
    }
}
