import TestSupport
import Testing

@testable import LosslessYAML

@Suite struct SimpleReaderTests {
    private static let todo = """
        # made for a test
        id: 7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c11
        text: ask bread call
        complete: false
        due: 2026-12-01

        tags: [home, shop-1, 5]
        empty: []
        count: 0x12
        quoted: "double: # quoted"
        single: 'a \\ b'
        notes: |
          two litres,
            the blue one
          # no comment
        # tail
        last: x:y#z
        """

    @Test func `the usual form of todos is read without libyaml`() {
        #expect(Self.read(Array(Self.todo.utf8)).simple != nil)
        #expect(Self.read(Array((Self.todo + "\n").utf8)).simple != nil)
    }

    @Test(arguments: [
        "", "# nothing\n", "a: b\r\n", "a:\tb\n", "a: \u{E9}\n", "a: b # c\n", "a: b: c\n", "a: b:\n", "a:\n",
        "a: b\n  c\n", "a:\n  b: c\n", "- a\n", "a: b \n", "a: &x b\n", "a: *x\n", "a: \"\\n\"\n",
        "a: 'b''c'\n",
        "a: |-\n  b\n", "a: |\n  b", "a: |\n  b\n\n  c\n", "a: |\n  b\n c\n", "a: |\n", "a: >\n  b\n",
        "a: [b, [c]]\n", "a: [b,c]\n", "a: [b,\n c]\n", "a: [b: c]\n", "a: [b, ]\n", "a: b\na: c\n",
        "null: b\n",
        "---\na: b\n", "a: b\n...\n", "%YAML 1.2\n---\na: b\n", "a: .nan\n", "a: 0x\n# c\n  # d\n", "a\n",
        "a",
        "a: \"b\"c\n", "a: 'b\n", "\u{FEFF}a: b\n",
    ])
    func `libyaml reads any other text`(text: String) {
        #expect(Self.read(Array(text.utf8)).simple == nil)
    }

    @Test(.covers(["a text read without libyaml": 1250]), arguments: propertySeeds)
    func `reading without libyaml gives the same values as with it`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let bytes = Array(" :#-[]|\"'\n,az09\n  \n_.~+*&!%@?{}>\t\r\\/nulltrue\u{E9}".utf8)
        for _ in 0..<100 {
            var lines = Self.todo.split(separator: "\n", omittingEmptySubsequences: false)
            for _ in 0..<Int.random(in: 0...14, using: &random) {
                lines.remove(at: Int.random(in: 0..<lines.count, using: &random))
            }
            if random.chance(0.3) { lines.shuffle(using: &random) }
            var text = Array((lines.joined(separator: "\n") + (random.chance(0.5) ? "\n" : "")).utf8)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let position = Int.random(in: 0...text.count, using: &random)
                if position < text.count, random.chance(0.6) { text.remove(at: position) }
                if random.chance(0.6) { text.insert(bytes.randomElement(using: &random) ?? 0, at: position) }
            }
            let (simple, whole) = Self.read(text)
            guard let simple else { continue }
            cover("a text read without libyaml")
            #expect(
                "\(simple)" == whole.map { "\($0)" }, "\(String(decoding: text, as: UTF8.self))")
        }
    }

    /// Reads a text in both ways; the results are nil if it can't be read.
    private static func read(_ text: [UInt8]) -> (simple: Node?, whole: Node?) {
        text.withUnsafeBufferPointer { bytes in
            guard let scan = try? TextScan(bytes) else { return (nil, nil) }
            var builder = TreeBuilder(bytes, scan)
            return (SimpleReader.read(bytes, scan), try? builder.buildDocument())
        }
    }
}
