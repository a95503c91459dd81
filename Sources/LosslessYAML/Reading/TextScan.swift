/// A check of a text's bytes before any of it is parsed as YAML.
///
/// libyaml takes U+0085, U+2028 and U+2029 for line breaks, so that a comment could hide a field behind one.
/// The check finds them and all other characters that YAML forbids.
struct TextScan {
    /// Whether a byte's offset is also the character's index.
    let isASCII: Bool
    /// Whether the text has neither tabs nor carriage returns.
    let hasNoControlsButLineFeeds: Bool

    /// Checks a text.
    ///
    /// - Throws: ``YAMLError/Reason/tooLarge``, ``YAMLError/Reason/notUTF8``,
    ///   ``YAMLError/Reason/controlCharacter(_:)``.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
        guard bytes.count <= Limits.bytes else { throw YAMLError(.tooLarge, at: 0, in: bytes) }
        var isASCII = true
        var hasNoControlsButLineFeeds = true
        var position = bytes.lengthOfByteOrderMark
        while position < bytes.count {
            if let eight = EightBytes(bytes, at: position) {
                let places = eight.others | eight.controls | eight.places(of: 0x7F)
                position += EightBytes.count(before: places)
                if places == 0 { continue }
            }
            let byte = bytes[position]
            if byte < 0x80 {
                guard byte >= 0x20 && byte != 0x7F || byte.isLineBreak || byte == .tab else {
                    throw YAMLError(.controlCharacter(UInt32(byte)), at: position, in: bytes)
                }
                if byte < 0x20, byte != .lineFeed { hasNoControlsButLineFeeds = false }
                position += 1
            } else {
                isASCII = false
                guard let (scalar, length) = bytes.decodeMultibyteScalar(at: position) else {
                    throw YAMLError(.notUTF8, at: position, in: bytes)
                }
                guard scalar.isPrintable else {
                    throw YAMLError(.controlCharacter(scalar.value), at: position, in: bytes)
                }
                position += length
            }
        }
        self.isASCII = isASCII
        self.hasNoControlsButLineFeeds = hasNoControlsButLineFeeds
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the character of two to four bytes at `position`; nil if there is none in its shortest form.
    fileprivate func decodeMultibyteScalar(at position: Int) -> (Unicode.Scalar, length: Int)? {
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
        // Surrogates and values above U+10FFFF are not scalars.
        guard isShortest, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, length)
    }
}
