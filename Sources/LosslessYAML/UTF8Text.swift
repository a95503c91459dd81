extension UnsafeBufferPointer<UInt8> {
    /// The offset of the first byte that isn't valid UTF-8 (RFC 3629); nil if there isn't one.
    package var firstInvalidUTF8Offset: Int? {
        var position = 0
        while position < count {
            if let eight = EightBytes(self, at: position), eight.others == 0 {
                position += 8
            } else if self[position] < 0x80 {
                position += 1
            } else if let (_, length) = decodeMultibyteScalar(at: position) {
                position += length
            } else {
                return position
            }
        }
        return nil
    }

    /// Decodes the two-byte to four-byte character at an offset; nil if there isn't one in its shortest form.
    func decodeMultibyteScalar(at position: Int) -> (Unicode.Scalar, length: Int)? {
        let first = self[position]
        let length: Int
        var value: UInt32
        switch first {
        case 0xC2...0xDF: (length, value) = (2, UInt32(first & 0x1F))
        case 0xE0...0xEF: (length, value) = (3, UInt32(first & 0x0F))
        case 0xF0...0xF4: (length, value) = (4, UInt32(first & 0x07))
        default: return nil
        }
        guard position + length <= count else { return nil }
        for offset in 1..<length {
            let byte = self[position + offset]
            guard byte.isUTF8Continuation else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        let isShortest = length == 2 || length == 3 && value >= 0x800 || length == 4 && value >= 0x10000
        // Surrogates and values above U+10FFFF aren't scalars.
        guard isShortest, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, length)
    }
}

extension Collection<UInt8> {
    /// Whether the first two bytes are UTF-16: a byte order mark, or an ASCII character.
    package var isUTF16: Bool {
        guard count >= 2 else { return false }
        let (first, second) = (self[startIndex], self[index(after: startIndex)])
        return first == 0xFF && second == 0xFE || first == 0xFE && second == 0xFF
            || (first == 0) != (second == 0)
    }
}
