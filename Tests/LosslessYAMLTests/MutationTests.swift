import TestSupport
import Testing

@testable import LosslessYAML

@Suite struct `Damaged texts do no harm` {
    @Test(.covers(["a damaged text that can be read": 600]), arguments: propertySeeds)
    func `a text with random bytes changed is either refused or editable`(seed: UInt64) throws {
        var generator = RandomYAML(seed: seed)
        var random = SplitMix64(seed: ~seed)
        for _ in 0..<40 {
            var bytes = generator.document()
            for _ in 0..<Int.random(in: 1...3, using: &random) { Self.damage(&bytes, &random) }
            guard let document = try? Document(parsing: bytes) else { continue }
            cover("a damaged text that can be read")
            let text = String(decoding: bytes, as: UTF8.self)
            let target = generator.changed(document.fields)
            let edited = document.updated(to: target)
            let result = try? Document(parsing: edited)
            #expect(
                result?.fields == target,
                "\(text)-----\n\(String(decoding: edited, as: UTF8.self))-----\n\(target)")
        }
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let characters = Array("\n\r\t #:-?,[]{}&*!|>'\"%@`+.~0aé\u{FEFF}".utf8)
        let position = Int.random(in: 0...bytes.count, using: &random)
        let character = characters.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.insert(character, at: position)
        case 1: if position < bytes.count { bytes[position] = character }
        case 2: if position < bytes.count { bytes.remove(at: position) }
        default:
            // Repeats a part of the text elsewhere.
            let start = Int.random(in: 0...position, using: &random)
            let part = bytes[start..<min(position, start + 12)]
            bytes.insert(contentsOf: part, at: Int.random(in: 0...bytes.count, using: &random))
        }
    }
}
