import Testing

@testable import LosslessYAML

/// Line ends in a text's bytes, which are examined eight at a time.
@Suite struct LineEndTests {
    @Test(arguments: ["\n", "\r", "\r\n", ""]) func `a line ends before its line break`(lineBreak: String) {
        for length in 0...20 {
            for start in 0...length {
                for rest in ["", "b", String(repeating: "c", count: 9) + "\n\r"]
                where !lineBreak.isEmpty || rest.isEmpty {
                    let text = Array((String(repeating: "a", count: length) + lineBreak + rest).utf8)
                    text.withUnsafeBufferPointer { bytes in
                        #expect(bytes.endOfLineContent(from: start) == length)
                        #expect(bytes.startOfNextLine(from: start) == length + lineBreak.utf8.count)
                    }
                }
            }
        }
    }

    @Test func `other bytes aren't line breaks`() {
        let text = (UInt8.min...UInt8.max).filter { $0 != 0x0A && $0 != 0x0D }
        text.withUnsafeBufferPointer { #expect($0.endOfLineContent(from: 0) == text.count) }
    }
}
