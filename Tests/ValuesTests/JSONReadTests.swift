import LosslessYAML
import Testing
import Values

@Suite struct `JSON read` {
    @Test(arguments: ReadableText.all)
    func `a text of RFC 8259 is read as its value`(_ row: ReadableText) throws {
        #expect(try JSON.read(Array(row.text.utf8)) == row.value)
    }

    @Test(arguments: BrokenText.all)
    func `a broken text is refused with reason and position`(_ row: BrokenText) {
        let problem = #expect(throws: JSON.Problem.self) { try JSON.read(row.bytes) }
        #expect(problem?.reason == row.reason)
        #expect(problem?.offset == row.offset)
    }

    @Test(arguments: ["1.10", "1e400", "-0.0", "123456789012345678901234567890", "1E+2"])
    func `a number keeps its spelling`(_ spelling: String) throws {
        guard case .number(let number) = try JSON.read(Array(spelling.utf8)) else {
            Issue.record("no number")
            return
        }
        #expect(number.json == spelling)
    }

    @Test func `keys that differ in Unicode form only are two keys`() throws {
        let value = try JSON.read(Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
        guard case .mapping(let mapping) = value else {
            Issue.record("no mapping")
            return
        }
        #expect(mapping.count == 2)
    }

    @Test func `the deepest text allowed is read, one level more is refused at its bracket`() throws {
        func text(levels: Int) -> [UInt8] {
            Array((String(repeating: "[", count: levels) + String(repeating: "]", count: levels)).utf8)
        }
        _ = try JSON.read(text(levels: 70))
        let problem = #expect(throws: JSON.Problem.self) { try JSON.read(text(levels: 71)) }
        #expect(problem?.reason == .tooDeep(maximum: 70))
        #expect(problem?.offset == 70)
        #expect(throws: JSON.Problem.self) { try JSON.read(text(levels: 4), maximumDepth: 3) }
        // A stack that grew with the text would overflow here.
        #expect(throws: JSON.Problem.self) {
            try JSON.read(Array(repeating: UInt8(ascii: "["), count: 1 << 20))
        }
    }

    @Test func `a text beyond the size allowed is refused`() throws {
        let text = Array("[1,2]".utf8)
        _ = try JSON.read(text, maximumSize: 5)
        let problem = #expect(throws: JSON.Problem.self) { try JSON.read(text, maximumSize: 4) }
        #expect(problem?.reason == .tooLarge(maximum: 4))
    }

    @Test func `a text of more values than allowed is refused`() throws {
        let text = Array(#"{"a":[1,[]],"b":null}"#.utf8)
        _ = try JSON.read(text, maximumValueCount: 5)
        let problem = #expect(throws: JSON.Problem.self) { try JSON.read(text, maximumValueCount: 4) }
        #expect(problem?.reason == .tooManyValues(maximum: 4))
    }

    @Test func `a mapping of very many keys is read in time`() throws {
        let entries = (0..<50_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
        let value = try JSON.read(Array("{\(entries)}".utf8))
        guard case .mapping(let mapping) = value else {
            Issue.record("no mapping")
            return
        }
        #expect(mapping.count == 50_000)
    }

    @Test func `a message shows no control character`() {
        let text = Array("{\"\\u001b[2J\":1,\"\\u001b[2J\":2}".utf8)
        let problem = #expect(throws: JSON.Problem.self) { try JSON.read(text) }
        #expect(problem?.message == "the key \"\\u001b[2J\" is repeated")
        let byte = #expect(throws: JSON.Problem.self) { try JSON.read([0x1B]) }
        #expect(byte?.description == "byte 0: unexpected byte 0x1B")
    }
}

struct ReadableText: Sendable, CustomTestStringConvertible {
    let text: String
    let value: Value
    var testDescription: String { text }

    static let all = [
        ReadableText(text: "null", value: .null),
        ReadableText(text: " \t\r\n true \n", value: .bool(true)),
        ReadableText(text: "false", value: .bool(false)),
        ReadableText(text: "-12", value: .number(Number(-12))),
        ReadableText(text: "\"\"", value: .string("")),
        ReadableText(text: "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", value: .string("\"\\/\u{8}\u{C}\n\r\t")),
        ReadableText(text: "\"a\\u00e9\\u20AC b\"", value: .string("a\u{E9}\u{20AC} b")),
        ReadableText(text: "\"\\ud83d\\uDE00\"", value: .string("\u{1F600}")),
        ReadableText(text: "\"\\u0000\"", value: .string("\0")),
        ReadableText(text: "\"\u{1F600}\u{7F}\u{85}\"", value: .string("\u{1F600}\u{7F}\u{85}")),
        ReadableText(text: "[ ]", value: .list([])),
        ReadableText(text: "[1 , [ \"a\" ]]", value: .list([.number(Number(1)), .list([.string("a")])])),
        ReadableText(text: "{ }", value: .mapping([:])),
        ReadableText(
            text: "{ \"a\" : {\"b\":null} , \"c\":[] }",
            value: .mapping(["a": .mapping(["b": .null]), "c": .list([])])),
    ]
}

struct BrokenText: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let reason: JSON.Reason
    let offset: Int

    init(_ text: String, _ reason: JSON.Reason, at offset: Int) {
        self.init(Array(text.utf8), reason, at: offset)
    }

    init(_ bytes: [UInt8], _ reason: JSON.Reason, at offset: Int) {
        self.bytes = bytes
        self.reason = reason
        self.offset = offset
    }

    var testDescription: String { String(decoding: bytes, as: UTF8.self) }

    static let all = [
        BrokenText("", .endsTooEarly, at: 0),
        BrokenText("  ", .endsTooEarly, at: 2),
        BrokenText("[1", .endsTooEarly, at: 2),
        BrokenText("{\"a\"", .endsTooEarly, at: 4),
        BrokenText("\"abc", .endsTooEarly, at: 4),
        BrokenText("\"\\", .endsTooEarly, at: 2),
        BrokenText("\"\\u12", .endsTooEarly, at: 5),
        BrokenText("tru", .endsTooEarly, at: 3),
        BrokenText("trye", .unexpectedByte(UInt8(ascii: "y")), at: 2),
        BrokenText("NaN", .unexpectedByte(UInt8(ascii: "N")), at: 0),
        BrokenText("[1,]", .unexpectedByte(UInt8(ascii: "]")), at: 3),
        BrokenText("[1 2]", .unexpectedByte(UInt8(ascii: "2")), at: 3),
        BrokenText("{\"a\":1,}", .unexpectedByte(UInt8(ascii: "}")), at: 7),
        BrokenText("{a:1}", .unexpectedByte(UInt8(ascii: "a")), at: 1),
        BrokenText("{\"a\" 1}", .unexpectedByte(UInt8(ascii: "1")), at: 5),
        BrokenText("{1:1}", .unexpectedByte(UInt8(ascii: "1")), at: 1),
        BrokenText("'a'", .unexpectedByte(UInt8(ascii: "'")), at: 0),
        BrokenText("/**/1", .unexpectedByte(UInt8(ascii: "/")), at: 0),
        BrokenText("\u{FEFF}1", .unexpectedByte(0xEF), at: 0),
        BrokenText("1 2", .textAfterEnd, at: 2),
        BrokenText("{}}", .textAfterEnd, at: 2),
        BrokenText("+1", .unexpectedByte(UInt8(ascii: "+")), at: 0),
        BrokenText(".5", .unexpectedByte(UInt8(ascii: ".")), at: 0),
        BrokenText("[01]", .badNumber("01"), at: 1),
        BrokenText("1.", .badNumber("1."), at: 0),
        BrokenText("1e", .badNumber("1e"), at: 0),
        BrokenText("-", .badNumber("-"), at: 0),
        BrokenText("\"a\nb\"", .controlCharacter(0x0A), at: 2),
        BrokenText("\"\0\"", .controlCharacter(0x00), at: 1),
        BrokenText("\"a\\x\"", .badEscape, at: 2),
        BrokenText("\"\\u12g4\"", .badEscape, at: 1),
        BrokenText("\"\\ud800\"", .loneSurrogate, at: 1),
        BrokenText("\"\\udc00\"", .loneSurrogate, at: 1),
        BrokenText("\"\\ud800\\ud800\"", .loneSurrogate, at: 1),
        BrokenText("\"\\ud800x\"", .loneSurrogate, at: 1),
        BrokenText("{\"a\":1,\"a\":1}", .repeatedKey("a"), at: 7),
        BrokenText("{\"a\":1,\"\\u0061\":1}", .repeatedKey("a"), at: 7),
        BrokenText([0x22, 0xFF, 0x22], .notUTF8, at: 1),
        BrokenText([0x22, 0xC0, 0x80, 0x22], .notUTF8, at: 1),
        BrokenText([0x22, 0xED, 0xA0, 0x80, 0x22], .notUTF8, at: 1),
        BrokenText([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .notUTF8, at: 1),
        BrokenText([0x22, 0xE2, 0x82], .notUTF8, at: 1),
        BrokenText([0x22, 0xE2, 0x82, 0x22], .notUTF8, at: 1),
    ]
}
