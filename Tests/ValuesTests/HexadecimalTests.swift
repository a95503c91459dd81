import Testing
import Values

@Suite struct HexadecimalTests {
    @Test func `bytes written as digits are read back`() {
        let bytes = [UInt8](0...255)
        #expect(bytes.hexadecimal.utf8.count == 512)
        #expect([UInt8](hexadecimal: bytes.hexadecimal) == bytes)
        #expect([UInt8](hexadecimal: "") == [])
    }

    @Test func `both letter cases are read, and lower case is written`() {
        #expect([UInt8](hexadecimal: "aBFf") == [0xAB, 0xFF])
        #expect([0xAB, 0xFF].hexadecimal == "abff")
    }

    @Test(arguments: ["a", "abc", "0g", "0x", " 0", "é"])
    func `anything else is not read`(text: String) {
        #expect([UInt8](hexadecimal: text) == nil)
    }
}
