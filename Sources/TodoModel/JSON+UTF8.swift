internal import LosslessYAML

/// Checks that bytes are UTF-8 as RFC 3629 has it: no surrogates, no overlong forms, nothing above U+10FFFF.
enum UTF8Check {
    /// Returns the offset of the first sequence that is none, or nil if all are.
    static func firstInvalidByte(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var position = 0
        while position < bytes.count {
            if let eight = EightBytes(bytes, at: position), eight.others == 0 {
                position += 8
                continue
            }
            let first = bytes[position]
            if first < 0x80 {
                position += 1
                continue
            }
            guard let form = form(of: first), position + form.count <= bytes.count,
                form.second.contains(bytes[position + 1])
            else { return position }
            for offset in position + 2..<max(position + 2, position + form.count) {
                guard (0x80...0xBF).contains(bytes[offset]) else { return position }
            }
            position += form.count
        }
        return nil
    }

    /// Returns a sequence's length and the bytes that may come second (RFC 3629, section 4).
    private static func form(of first: UInt8) -> (count: Int, second: ClosedRange<UInt8>)? {
        switch first {
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (3, 0x80...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        default: nil
        }
    }
}
