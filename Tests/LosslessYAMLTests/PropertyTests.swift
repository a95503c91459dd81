import Platform
import TestSupport
import Testing

@testable import LosslessYAML

/// The seeds for property tests.
let propertySeeds = PropertySeeds.range(default: 60)

@Suite struct `Laws that hold for every document` {
    @Test(arguments: propertySeeds)
    func `a random document can be read, and its ranges cover its text in order`(seed: UInt64) throws {
        var random = RandomYAML(seed: seed)
        for _ in 0..<10 {
            let bytes = random.document()
            let document = try #require(
                try? Document(parsing: bytes), "\(String(decoding: bytes, as: UTF8.self))")
            #expect(document.bytes == bytes)
            try Self.checkRanges(document.root, document.bytes)
        }
    }

    @Test(arguments: propertySeeds)
    func `a new file reads back as its mapping`(seed: UInt64) throws {
        var random = RandomYAML(seed: seed)
        for _ in 0..<20 {
            let mapping = random.mapping()
            let text = emit(mapping)
            let document = try #require(
                try? Document(parsing: text), "\(String(decoding: text, as: UTF8.self))")
            #expect(document.fields == mapping)
            #expect(document.fields.keys.map { ByteKey($0) } == mapping.keys.map { ByteKey($0) })
        }
    }

    @Test(.covers(["an edit": 365, "an edit without aliases": 330]), arguments: propertySeeds)
    func `an edit gives the target's values and leaves all other lines unchanged`(seed: UInt64) throws {
        var random = RandomYAML(seed: seed)
        for _ in 0..<10 {
            let document = try Document(parsing: random.document())
            let target = random.changed(document.fields)
            let text = document.updated(to: target)
            let comment: Comment =
                "\(document.text)-----\n\(String(decoding: text, as: UTF8.self))-----\n\(target)"
            let result = try #require(try? Document(parsing: text), comment)
            #expect(result.fields == target, comment)
            #expect(document.edited(to: target, coarseKeys: []) == text, "a fallback was needed: \(comment)")
            cover("an edit", target != document.fields)
            if target == document.fields { #expect(text == document.bytes, comment) }
            if !document.references.hasAliases, !target.isEmpty {
                cover("an edit without aliases", target != document.fields)
                #expect(UntouchedLines.violation(document, result) == nil, comment)
            }
        }
    }

    @Test(arguments: propertySeeds)
    func `any mapping can be the target`(seed: UInt64) throws {
        var random = RandomYAML(seed: seed)
        for _ in 0..<5 {
            let document = try Document(parsing: random.document())
            let target = random.mapping()
            let text = document.updated(to: target)
            #expect(try Document(parsing: text).fields == target, "\(document.text)\n\(target)")
        }
    }

    @Test(.covers(["a document without an id": 180]), arguments: propertySeeds)
    func `an id becomes the first field and nothing else changes`(seed: UInt64) throws {
        var random = RandomYAML(seed: seed)
        for _ in 0..<5 {
            let document = try Document(parsing: random.document())
            if document.fields["id"] != nil { continue }
            cover("a document without an id")
            let text = document.inserting(id: "7c1e")
            let result = try Document(parsing: text)
            #expect(result.fields.keys.first == "id", "\(document.text)")
            #expect(result.fields == Mapping([("id", "7c1e")] + document.fields.entries))
            // Without the inserted part, the text is unchanged.
            let start = zip(text, document.bytes).prefix { $0 == $1 }.count
            let inserted = text.count - document.bytes.count
            #expect(inserted > 0)
            let isOneInsertion = (max(0, start - inserted)...start).contains { position in
                text[..<position] + text[(position + inserted)...] == document.bytes[...]
            }
            #expect(isOneInsertion, "\(document.text)")
        }
    }

    /// Checks that children are inside their parent, in order and without overlap, and that a scalar's bytes
    /// parse to its value.
    private static func checkRanges(_ node: Node, _ bytes: [UInt8]) throws {
        var position = node.range.lowerBound
        func check(_ range: Range<Int>) {
            #expect(range.lowerBound >= position && range.upperBound <= node.range.upperBound)
            position = range.upperBound
        }
        switch node.shape {
        case .alias: #expect(bytes[node.range.lowerBound] == UInt8(ascii: "*"))
        case .scalar(let style):
            guard style != .literal, style != .folded, !node.range.isEmpty else { return }
            let text = bytes[node.range]
            #expect(text.first.map { !$0.isBlank && !$0.isLineBreak } == true)
            #expect(text.last.map { !$0.isBlank && !$0.isLineBreak } == true)
            let alone = try Document(parsing: Array("{k: ".utf8) + text + Array("}".utf8))
            if !text.contains(UInt8(ascii: ":")) || style != .plain {
                #expect(alone.fields["k"] == node.value)
            }
        case .sequence(let style, let items):
            for item in items {
                check(item.value.range)
                if style == .block { checkLines(item.lines, item.value.range, bytes) }
                try checkRanges(item.value, bytes)
            }
        case .mapping(let style, let entries):
            for entry in entries {
                check(entry.keyRange)
                check(entry.value.range)
                if style == .block { checkLines(entry.lines, entry.value.range, bytes) }
                try checkRanges(entry.value, bytes)
            }
        }
    }

    private static func checkLines(_ lines: Range<Int>, _ range: Range<Int>, _ bytes: [UInt8]) {
        #expect(lines.lowerBound <= range.lowerBound && range.upperBound <= lines.upperBound)
        #expect(lines.upperBound == bytes.count || bytes[lines.upperBound - 1].isLineBreak)
    }
}

extension Document {
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
