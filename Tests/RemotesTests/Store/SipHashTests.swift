import Testing

@testable import Remotes

@Suite struct `SipHash results` {
    /// The reference implementation's first results for the key 00 01 … 0f and the texts "", 00, 00 01, ….
    @Test(arguments: [
        (0, "a3817f04ba25a8e66df67214c7550293"),
        (1, "da87c1d86b99af44347659119b22fc45"),
        (7, "a1f1ebbed8dbc153c0b84aa61ff08239"),
        (8, "3b62a9ba6258f5610f83e264f31497b4"),
        (16, "6ee2a4ca67b054bbfd3315bf85230577"),
        (63, "5150d1772f50834a503e069a973fbd7c"),
    ])
    func `results are the reference implementation's`(length: Int, expected: String) {
        let hash = SipHash.hash128((0..<length).map { UInt8($0) }, key: (0..<16).map { UInt8($0) })
        #expect(hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
    }

    @Test func `texts of every length around a word have results of their own`() {
        let key = [UInt8](repeating: 7, count: 16)
        let results = Set((0..<64).map { SipHash.hash128([UInt8](repeating: 0, count: $0), key: key) })
        #expect(results.count == 64)
        #expect(!results.contains(SipHash.hash128([], key: [UInt8](repeating: 8, count: 16))))
    }
}

@Suite struct `Base64 texts` {
    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func `texts are those of RFC 4648`(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Zh==", "Zm9v=", "Zm9 ", "=", "\u{E9}m9v", "Zm9v\n"])
    func `a text that no encoding gives is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
