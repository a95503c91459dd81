extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let hash = UInt8(ascii: "#")
    static let backslash = UInt8(ascii: "\\")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let hyphen = UInt8(ascii: "-")
    static let questionMark = UInt8(ascii: "?")
    static let ampersand = UInt8(ascii: "&")
    static let exclamationMark = UInt8(ascii: "!")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    var isLineBreak: Bool { self == .lineFeed || self == .carriageReturn }
    /// Whether the byte is a space or a tab.
    var isBlank: Bool { self == .space || self == .tab }
    var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }
}

extension Unicode.Scalar {
    /// Whether YAML allows the character unescaped in text; false for line breaks and U+FEFF.
    var isPrintable: Bool {
        switch value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD,
            0x10000...0x10FFFF:
            true
        default: false
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The length of the byte order mark that the text begins with: 3, or 0 if there isn't one.
    var lengthOfByteOrderMark: Int {
        count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF ? 3 : 0
    }

    /// Skips white space, line breaks and comments, and returns the offset after them.
    ///
    /// `position` must be between two tokens, where a `#` begins a comment.
    func skipTrivia(from position: Int) -> Int {
        var position = position
        while position < count {
            let byte = self[position]
            if byte == .hash {
                position = endOfLineContent(from: position)
            } else if byte.isBlank || byte.isLineBreak {
                position += 1
            } else {
                break
            }
        }
        return position
    }

    /// Returns the offset after the `:` that follows a key; nil if there isn't one.
    func endOfColon(afterKey keyEnd: Int, inFlow: Bool) -> Int? {
        let colon = skipTrivia(from: keyEnd)
        guard colon < count, self[colon] == .colon else { return nil }
        // Outside brackets, a colon directly before a letter begins a new key, as in the line `:b: c` after
        // `? a`.
        let isIndicator =
            inFlow || colon + 1 == count || self[colon + 1].isBlank || self[colon + 1].isLineBreak
        return isIndicator ? colon + 1 : nil
    }

    /// Returns the offset of the next line break, or the end of the text.
    func endOfLineContent(from position: Int) -> Int {
        var position = position
        while let eight = EightBytes(self, at: position) {
            let matches = eight.matches(of: .lineFeed) | eight.matches(of: .carriageReturn)
            position += EightBytes.count(before: matches)
            if matches != 0 { return position }
        }
        while position < count, !self[position].isLineBreak { position += 1 }
        return position
    }

    /// Returns the start of the next line, or the end of the text.
    package func startOfNextLine(from position: Int) -> Int {
        skipLineBreak(at: endOfLineContent(from: position))
    }

    /// Returns the offset after the line break at `position`, or `position` if there isn't one.
    func skipLineBreak(at position: Int) -> Int {
        guard position < count, self[position].isLineBreak else { return position }
        let isPair =
            self[position] == .carriageReturn && position + 1 < count && self[position + 1] == .lineFeed
        return position + (isPair ? 2 : 1)
    }

    /// Returns the start of the line that contains `position`, after a byte order mark.
    func startOfLine(at position: Int) -> Int {
        let first = lengthOfByteOrderMark
        var position = position
        while position > first, !self[position - 1].isLineBreak { position -= 1 }
        return position
    }

    /// Returns the start of the line above the line that begins at `line`; nil if there isn't one.
    func startOfPreviousLine(before line: Int) -> Int? {
        let first = lengthOfByteOrderMark
        guard line > first else { return nil }
        let isPair = line - 2 >= first && self[line - 1] == .lineFeed && self[line - 2] == .carriageReturn
        return startOfLine(at: line - (isPair ? 2 : 1))
    }

    /// Skips spaces and tabs, and returns the offset after them.
    func skipBlanks(from position: Int) -> Int {
        var position = position
        while position < count, self[position].isBlank { position += 1 }
        return position
    }

    /// Returns whether a line has only white space.
    func isBlankLine(at start: Int) -> Bool {
        let end = skipBlanks(from: start)
        return end == count || self[end].isLineBreak
    }
}

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
