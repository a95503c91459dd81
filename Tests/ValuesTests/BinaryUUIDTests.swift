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
}
