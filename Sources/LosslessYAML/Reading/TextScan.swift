/// Checks the bytes of a text before it is parsed as YAML.
///
/// libyaml treats U+0085, U+2028 and U+2029 as line breaks, which would let a comment hide a field. The check
/// rejects these characters and all other characters that YAML forbids.
struct TextScan {
    /// Whether byte offsets equal character indices.
    let isASCII: Bool
    /// Whether the text has neither tabs nor carriage returns.
    let hasNoControlsButLineFeeds: Bool

    /// Checks a text.
    ///
    /// - Throws: ``YAMLError/Reason/tooLarge``, ``YAMLError/Reason/isUTF16``,
    ///   ``YAMLError/Reason/notUTF8``, ``YAMLError/Reason/controlCharacter(_:)``.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
        guard bytes.count <= Limits.bytes else { throw YAMLError(.tooLarge, at: 0, in: bytes) }
        if bytes.isUTF16 { throw YAMLError(.isUTF16, at: 0, in: bytes) }
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
