/// A UUID in lower case, as RFC 9562 writes it, and its 16 bytes.
enum BinaryUUID {
    /// Returns the bytes that a string stands for; nil if it is no UUID in lower case.
    static func bytes(_ string: String) -> [UInt8]? {
        var string = string
        return string.withUTF8 { text in
            guard text.count == 36 else { return nil }
            var isUUID = true
            let bytes = [UInt8](unsafeUninitializedCapacity: 16) { bytes, count in
                var place = 0
                while place < 36 {
                    if place == 8 || place == 13 || place == 18 || place == 23 {
                        isUUID = isUUID && text[place] == UInt8(ascii: "-")
                        place += 1
                    }
                    let (high, low) = (value(text[place]), value(text[place + 1]))
                    isUUID = isUUID && high < 16 && low < 16
                    bytes[count] = high << 4 | low & 15
                    count += 1
                    place += 2
                }
            }
            return isUUID ? bytes : nil
        }
    }

    /// Returns what a digit stands for; 16 if it is none.
    private static func value(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: 16
        }
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
