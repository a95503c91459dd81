import Testing
import Values

@Suite struct BinaryUUIDTests {
    @Test func `a UUID in lower case takes its sixteen bytes, and comes back as it was`() {
        let uuid = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
        let bytes = BinaryUUID(uuid)?.bytes
        #expect(
            bytes == [
                0x0F, 0x1E, 0x2D, 0x3C, 0x4B, 0x5A, 0x69, 0x78, 0x87, 0x96, 0xA5, 0xB4, 0xC3, 0xD2, 0xE1,
                0xF0,
            ])
        #expect(bytes?.withUnsafeBytes { BinaryUUID($0) }.string == uuid)
        let others = [
            "", "0", uuid.uppercased(), uuid + "0", String(uuid.dropLast()), uuid.replacing("-", with: "0"),
            uuid.replacing("c-", with: "-c"), uuid.replacing("e1f0", with: "e1g0"),
            uuid.replacing("0f", with: "/f"),
            uuid.replacing("0f", with: ":f"), uuid.replacing("0f", with: "`f"),
            uuid.replacing("f0", with: "fé"),
        ]
        for other in others { #expect(BinaryUUID(other) == nil, "\(other)") }
    }

    /// The values are those of Python's `uuid.uuid5`.
    @Test(arguments: [
        ("", "5a22283d-8e6d-51e8-9f18-f01f167fedad"),
        ("2026-12-08", "def8b59e-e9c9-5726-8753-469e0787ca59"),
        ("ä", "5f12256a-af54-5091-8093-9e0f491d9ecc"),
        (String(repeating: "x", count: 39), "2ded4ccb-8eb2-5e57-be50-bc73d15edc97"),
        (String(repeating: "x", count: 40), "b7296b55-4b6c-5068-9eaf-2243735cde7b"),
        (String(repeating: "x", count: 200), "bd9f6f68-7599-57cd-adfa-47a69bd6f655"),
    ])
    func `a name has one UUID in a namespace`(name: String, expected: String) throws {
        let namespace = try #require(BinaryUUID("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"))
        #expect(BinaryUUID(named: name, in: namespace).string == expected)
    }

    @Test(arguments: 0...36) func `the common beginning of two UUIDs is that of their texts`(count: Int)
        throws
    {
        let text = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
        let uuid = try #require(BinaryUUID(text))
        var other = Array(text.utf8)
        // The characters after the common beginning differ, except hyphens.
        for index in other.indices[count...] where other[index] != UInt8(ascii: "-") {
            other[index] = other[index] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
        }
        let otherText = String(decoding: other, as: UTF8.self)
        let expected = zip(text, otherText).prefix { $0 == $1 }.count
        #expect(uuid.sharedCount(with: try #require(BinaryUUID(otherText))) == expected)
    }
}
