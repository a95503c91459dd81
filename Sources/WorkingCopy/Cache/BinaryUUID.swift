/// A UUID in lower case, as RFC 9562 writes it, and its 16 bytes.
enum BinaryUUID {
    /// Returns the bytes that a string stands for; nil if it is no UUID in lower case.
    static func bytes(_ string: String) -> [UInt8]? {
        let text = string.utf8
        guard text.count == 36 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var high: UInt8?
        for (index, character) in text.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }

    /// Returns the string that 16 bytes stand for.
    static func string(_ bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: 36) { text in
            var end = 0
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    text[end] = UInt8(ascii: "-")
                    end += 1
                }
                text[end] = digit(byte >> 4)
                text[end + 1] = digit(byte & 15)
                end += 2
            }
            return end
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
