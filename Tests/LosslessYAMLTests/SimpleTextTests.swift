import TestSupport
import Testing

@testable import LosslessYAML

@Suite struct SimpleTextTests {
    private static let lines = """
        # made for a test
        id: 7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c11
        text: ask bread call
        complete: false

        tags: [home, shop-1, 5]
        notes: |
          two litres,
            the blue one
        # tail
        list: |
          a
          a
        last: x:y#z
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    /// Lines that an edit can change a line into, or insert before it.
    private static let others = [
        "text: another", "due: 2026-12-01", "# a comment", "", "  more", "    a", "a", "x: |", "edits: 5",
        "notes: one line", "q: \"a", "b: c\"", "k: [a,", " b]", "last: 1", "- a", "r: &x a", "s: *x",
        "u: \u{E9}", "v: 'it''s'", "--- ", "...", "a: b # c", "id: other", "list: |", "  a", "w:", "  x: y",
    ]

    @Test(arguments: propertySeeds)
    func `differences are found without reading the parts that two texts have in common`(seed: UInt64) throws
    {
        var random = SplitMix64(seed: seed)
        var found = 0
        for _ in 0..<400 {
            let first = Self.edited(Self.lines, &random)
            let second = Self.edited(random.chance(0.3) ? Self.lines : first, &random)
            guard let old = try? Document(parsing: Self.text(first, &random)),
                let new = try? Document(parsing: Self.text(second, &random)), let simple = SimpleText(new),
                let entries = simple.entriesThatDiffer(from: old.bytes)
            else { continue }
            found += 1
            let message: Comment = """
                \(String(decoding: old.bytes, as: UTF8.self))
                ----
                \(String(decoding: new.bytes, as: UTF8.self))
                """
            #expect(
                Self.differences(entries.old, entries.new) == Self.differences(old.fields, new.fields),
                message)
            for (key, value) in entries.old.entries { #expect(old.fields[key] == value, message) }
            for (key, value) in entries.new.entries { #expect(new.fields[key] == value, message) }
        }
        #expect(found > 20)
    }

    @Test func `little is read of a text with few changes`() throws {
        let old = Self.lines.joined(separator: "\n")
        let new = old.replacing("complete: false", with: "complete: true")
        let text = try #require(SimpleText(try Document(parsing: Array(new.utf8))))
        let entries = try #require(text.entriesThatDiffer(from: Array(old.utf8)))
        #expect(entries.old == ["complete": .bool(false)] && entries.new == ["complete": .bool(true)])
        let same = try #require(text.entriesThatDiffer(from: Array(new.utf8)))
        #expect(same.old == same.new)
    }

    @Test func `a text in another form is nil`() throws {
        for text in ["a: \u{E9}\n", "a: b\r\n", "a:\n  b: c\n", "a: b # c\n", "a: &x b\nc: *x\n"] {
            #expect(SimpleText(try Document(parsing: Array(text.utf8))) == nil, "\(text)")
        }
    }

    private static func edited(_ lines: [String], _ random: inout SplitMix64) -> [String] {
        var lines = lines
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let position = Int.random(in: 0..<lines.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where lines.count > 1: lines.remove(at: position)
            case 1: lines[position] = others.randomElement(using: &random) ?? ""
            case 2: lines.swapAt(position, Int.random(in: 0..<lines.count, using: &random))
            default: lines.insert(others.randomElement(using: &random) ?? "", at: position)
            }
        }
        return lines
    }

    private static func text(_ lines: [String], _ random: inout SplitMix64) -> [UInt8] {
        Array((lines.joined(separator: "\n") + (random.chance(0.7) ? "\n" : "")).utf8)
    }

    /// Returns the keys whose values differ, in the order of the new mapping, then the removed keys.
    private static func differences(_ old: Mapping, _ new: Mapping) -> [String] {
        new.keys.filter { old[$0] != new[$0] } + old.keys.filter { new[$0] == nil }
    }
}
