import Foundation
import LosslessYAML
import TestSupport
import Testing
import Values

@Suite struct `JSON write` {
    private let example: Value = .mapping([
        "text": .string("Hello"), "complete": .bool(false),
        "tags": .list([.string("a"), .number(Number(1))]),
        "nothing": .null, "empty": .mapping([:]), "none": .list([]),
    ])

    @Test func `the compact form has no white space and keeps the order of keys`() {
        #expect(
            text(example)
                == #"{"text":"Hello","complete":false,"tags":["a",1],"nothing":null,"empty":{},"none":[]}"#)
    }

    @Test func `the sorted form is the same for equal mappings`() {
        let one: Value = .mapping(["b": .mapping(["y": .null, "x": .null]), "a": .null])
        let other: Value = .mapping(["a": .null, "b": .mapping(["x": .null, "y": .null])])
        #expect(text(one, form: .sorted) == #"{"a":null,"b":{"x":null,"y":null}}"#)
        #expect(JSON.write(one, form: .sorted) == JSON.write(other, form: .sorted))
    }

    @Test func `the pretty form has a line for each entry`() {
        let expected = """
            {
              "text": "Hello",
              "complete": false,
              "tags": [
                "a",
                1
              ],
              "nothing": null,
              "empty": {},
              "none": []
            }
            """
        #expect(text(example, form: .pretty) == expected)
    }

    @Test func `what a terminal would obey is escaped, all else stays as it is`() {
        let string = "\"\\/\u{0}\u{8}\t\n\u{C}\r\u{1B}\u{7F}\u{80}\u{9F}\u{A0}\u{E9}\u{1F600}"
        let expected =
            #""\"\\/\u0000\b\t\n\f\r\u001b\u007f\u0080\u009f"# + "\u{A0}\u{E9}\u{1F600}\""
        #expect(text(.string(string)).isSameBytes(as: expected))
    }

    @Test func `appending leaves what is there`() {
        var bytes = Array("data: ".utf8)
        JSON.write(.list([.null]), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "data: [null]")
    }

    @Test(arguments: UInt64(0)..<JSONProperty.seeds)
    func `what is written is read as the same value in every form`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let value = randomValue(depth: 4, using: &generator)
        for form in [JSON.Form.compact, .pretty, .sorted] {
            #expect(try JSON.read(JSON.write(value, form: form)) == value)
        }
    }

    @Test(
        .covers(["a text that can be read": 5, "a refusal": 45]), arguments: UInt64(0)..<JSONProperty.seeds)
    func `a damaged text is read or refused, and a refusal's position lies in it`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var bytes = JSON.write(randomValue(depth: 4, using: &generator))
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
            let position = Int.random(in: 0..<bytes.count, using: &generator)
            if generator.chance(0.5) {
                bytes[position] = UInt8.random(in: 0...255, using: &generator)
            } else {
                bytes.remove(at: position)
            }
        }
        do throws(JSON.Problem) {
            let value = try JSON.read(bytes)
            cover("a text that can be read")
            #expect(try JSON.read(JSON.write(value)) == value)
        } catch {
            cover("a refusal")
            #expect((0...bytes.count).contains(error.offset))
        }
    }

    @Test func `for people, what turns the direction of a text is escaped, and nothing else beyond ASCII is`()
        throws
    {
        let controls: [UInt32] =
            [0x061C, 0x200E, 0x200F] + Array(0x2028...0x202E) + Array(0x2066...0x2069)
        for control in controls {
            let scalar = try #require(Unicode.Scalar(control))
            var mapping = Mapping()
            mapping["a\(scalar)b"] = .string("plain text and then \(scalar)")
            let value = Value.mapping(mapping)
            let written = text(value, form: .pretty)
            #expect(!written.unicodeScalars.contains(scalar))
            let escape = "\\u" + (control < 0x1000 ? "0" : "") + String(control, radix: 16)
            #expect(written.contains("a\(escape)b") && written.contains("then \(escape)\""))
            #expect(try JSON.read(Array(written.utf8)) == value)
            // The compact form, which is stored, doesn't escape the character.
            #expect(text(value).unicodeScalars.contains(scalar))
        }
        let others = "– ’ … € \u{200B}\u{2065}\u{206A}\u{0619}\u{061B} ع א 日本語 🎉"
        #expect(text(.string(others), form: .pretty) == "\"\(others)\"")
    }

    private func text(_ value: Value, form: JSON.Form = .compact) -> String {
        String(decoding: JSON.write(value, form: form), as: UTF8.self)
    }
}

private enum JSONProperty {
    static let seeds = PropertySeeds.range(default: 60).upperBound
}

private func randomValue(depth: Int, using generator: inout SplitMix64) -> Value {
    switch Int.random(in: 0..<(depth == 0 ? 4 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(generator.chance(0.5))
    case 2: return .number(randomNumber(using: &generator))
    case 3: return .string(randomString(using: &generator))
    case 4:
        let count = Int.random(in: 0...4, using: &generator)
        return .list((0..<count).map { _ in randomValue(depth: depth - 1, using: &generator) })
    default:
        var mapping = Mapping()
        // Sometimes there are more keys than a mapping searches one by one.
        for _ in 0..<Int.random(in: 0...(generator.chance(0.1) ? 40 : 4), using: &generator) {
            mapping[randomString(using: &generator)] = randomValue(depth: depth - 1, using: &generator)
        }
        return .mapping(mapping)
    }
}

private func randomNumber(using generator: inout SplitMix64) -> Number {
    let whole = Int.random(in: -1000...1000, using: &generator)
    let spellings = ["\(whole)", "\(whole).50", "\(whole)e-7", "\(whole).25E+400"]
    return Number(json: spellings.randomElement(using: &generator) ?? "0") ?? Number(whole)
}

private func randomString(using generator: inout SplitMix64) -> String {
    let ranges: [ClosedRange<UInt32>] = [
        0x00...0x1F, 0x20...0x7E, 0x7F...0xA0, 0xA1...0xD7FF, 0xE000...0x10FFFF,
    ]
    var string = ""
    for _ in 0..<Int.random(in: 0...8, using: &generator) {
        let range = generator.chance(0.6) ? ranges[1] : ranges.randomElement(using: &generator) ?? ranges[1]
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
            string.unicodeScalars.append(scalar)
        }
    }
    return string
}
