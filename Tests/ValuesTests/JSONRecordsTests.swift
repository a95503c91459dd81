import LosslessYAML
import Testing
import Values

/// Records with a part that can't be read, and their neighbors.
@Suite struct JSONRecordsTests {
    struct Flaw: Sendable, CustomTestStringConvertible {
        var testDescription: String { String(decoding: member.prefix(40), as: UTF8.self) }
        var member: [UInt8]
        var message: String

        init(_ member: String, _ message: String) { self.init(Array(member.utf8), message) }

        init(_ member: [UInt8], _ message: String) { (self.member, self.message) = (member, message) }

        static let all = [
            Flaw(#""a":"# + nested(100), "more than 70 levels"),
            Flaw(#""a":"# + nested(100_000), "more than 70 levels"),
            Flaw(#""a":{"b":[{"c":"# + nested(70) + "}]}", "more than 70 levels"),
            Flaw(#""a":["# + nested(100) + #","]}\"",{"b":"}"}]"#, "more than 70 levels"),
            Flaw(#""a":"\ud800""#, "half of a surrogate pair in a string"),
            Flaw(#""a":{"b":["\x"]}"#, "an unknown escape in a string"),
            Flaw(#""a":"\x\"}\\""#, "an unknown escape in a string"),
            Flaw("\"a\":\"\n\"", "byte 0x0A in a string"),
            Flaw(#""a":01"#, "not a number: 01"),
            Flaw(#""a": [1, -Infinity ] "#, "not a number: -"),
            Flaw(#""a":NaN"#, "unexpected 'N'"),
            Flaw(#""a":{"b":1,"b":2}"#, #"the key "b" is repeated"#),
            Flaw(#""id":"y""#, #"the key "id" is repeated"#),
            Flaw(#""a\ud800":1"#, "half of a surrogate pair in a string"),
            Flaw(Array(#""a":""#.utf8) + [0xFF, 0x22], "not UTF-8"),
            Flaw([0x22, 0xC0, 0x80] + Array(#"":[]"#.utf8), "not UTF-8"),
            Flaw(
                #""a":["# + Array(repeating: "1", count: 1_000_001).joined(separator: ",") + "]",
                "more than 1000000 values"),
        ]
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static func read(_ bytes: [UInt8], maximumValueCount: Int = 3_000_000) throws -> Value {
        try JSON.readRecords(
            bytes, recordDepth: 3, maximumSize: 8 << 20, maximumValueCount: maximumValueCount)
    }

    @Test(arguments: Flaw.all)
    func `what can't be read is left out of its record, which reports it`(_ flaw: Flaw) throws {
        for isFirst in [true, false] {
            let id = Array(#""id":"x""#.utf8)
            let members = isFirst ? flaw.member + [0x2C] + id : id + [0x2C] + flaw.member
            let bytes =
                Array(#"{"v":[{"id":"before"},{"#.utf8) + members + Array(#"},{"id":"ö"}],"n":1}"#.utf8)
            // If a name is repeated, the first one counts.
            let first = isFirst && flaw.member.starts(with: id.prefix(5)) ? "y" : "x"
            let problem = Value.string(flaw.message)
            let record: Mapping =
                isFirst && first == "x"
                ? [JSON.problemName: problem, "id": .string("x")]
                : ["id": .string(first), JSON.problemName: problem]
            #expect(
                try Self.read(bytes)
                    == .mapping([
                        "v": .list([
                            .mapping(["id": .string("before")]), .mapping(record),
                            .mapping(["id": .string("ö")]),
                        ]), "n": .number(Number(1)),
                    ]))
        }
    }

    @Test func `many records that can't be read cost no more than their length`() throws {
        let record = #"{"a":"# + Self.nested(80) + #","id":"x"}"#
        let page = #"{"v":["# + Array(repeating: record, count: 20_000).joined(separator: ",") + "]}"
        guard case .mapping(let value) = try Self.read(Array(page.utf8)), case .list(let list)? = value["v"]
        else { return #expect(Bool(false)) }
        #expect(list.count == 20_000)
    }

    @Test(arguments: [
        #"{"v":[{"a":[}]}"#, #"{"v":[{"a":[1}"#, #"{"v":[{"a":"\x"#, #"{"v":[{"a":"\x"}"#, #"{"v":[{]}"#,
        #"{"v":[{"a":01]}"#, #"{"v":[{"a" 01}]}"#, #"{"v":[{a:1}]}"#, #"{"v":[{"a":01 2}]}"#,
        #"{"v":[{"a":"# + nested(100) + "}]}]}", #"{"v":[{"a":[01"#, #"{"v":[{"a":"\x\"#,
    ])
    func `a text whose values do not end is no list of records`(_ text: String) {
        #expect(throws: JSON.Problem.self) { try Self.read(Array(text.utf8)) }
    }

    @Test(arguments: [#"{"v":"\ud800"}"#, #"{"v":01}"#, #"{"v":"# + nested(100) + "}", #"{"v":[["\x"]]}"#])
    func `what can't be read outside of a record is a problem`(_ text: String) {
        #expect(throws: JSON.Problem.self) { try Self.read(Array(text.utf8)) }
    }

    @Test func `the number of all values is bounded`() {
        let page = #"{"v":["# + Array(repeating: #"{"a":[1,1,1]}"#, count: 30).joined(separator: ",") + "]}"
        #expect(throws: JSON.Problem.self) { try Self.read(Array(page.utf8), maximumValueCount: 100) }
        #expect(throws: Never.self) { try Self.read(Array(page.utf8), maximumValueCount: 200) }
    }
}

@Suite struct JSONMembersTests {
    private static func members(_ names: [String], _ text: String) throws -> Mapping {
        try Array(text.utf8).withUnsafeBufferPointer { try JSON.readMembers(names, of: $0) }
    }

    @Test(arguments: [
        #"{"a":1,"b":[{"a":2}],"c":"x\"}\\"}"#, #" { "b" : {"c":[1,"}"]} , "a" : 1 } "#, "{}", #"{"A":1}"#,
        #"{"\u0061":"e","b":"ä"}"#, #"{"ä":1,"a":null}"#,
    ])
    func `some members of an object are what they are in the whole of it`(_ text: String) throws {
        guard case .mapping(let whole) = try JSON.read(Array(text.utf8)) else {
            Issue.record("\(text)")
            return
        }
        for names in [["a"], ["b"], ["c", "a"], ["a", "b", "c", "d"], [], ["ä"], ["a\u{308}"]] {
            #expect(
                try Self.members(names, text)
                    == whole.filter { names.map(ByteKey.init).contains(ByteKey($0)) })
        }
    }

    @Test(arguments: [
        "", "1", "[]", "{", #"{"a"}"#, #"{"a":}"#, #"{"b":1"a":1}"#, #"{"b":"x,"a":1}"#, #"{"a":"\x"}"#,
        #"{"b":1,}"#, "{a:1}", #"{"b":[1,"a":1}"#,
    ])
    func `what does not lead to a member is a problem`(_ text: String) {
        #expect(throws: JSON.Problem.self) { try Self.members(["a", "c"], text) }
    }

    @Test func `what follows the last member is not read`() throws {
        #expect(try Self.members(["a"], #"{"b":"\x","a":1,"#) == ["a": .number(Number(1))])
    }
}
