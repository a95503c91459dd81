internal import LosslessYAML

// Text from a remote or a file could harm the terminal: an escape sequence could move the cursor, hide a line
// or rename the window, and a bidirectional control could make a word read as a different one.

/// Returns a text for one line of a terminal, with control characters as escapes such as `\n` and `\x1b`.
func visible(_ text: String) -> String {
    escapingControls(in: text, keepsLines: false)
}

/// Returns a text of several lines for a terminal, with control characters except line feeds and tabs as
/// escapes.
func visibleLines(_ text: String) -> String {
    escapingControls(in: text, keepsLines: true)
}

/// Returns the lines of a file for a terminal, with U+FFFD for bytes that are not UTF-8.
func visibleLines(_ bytes: [UInt8]) -> String {
    visibleLines(String(decoding: bytes, as: UTF8.self))
}

extension String {
    /// Whether all characters are printable ASCII, as in most texts.
    ///
    /// The answer is quick, so it comes before slower tests.
    var isPrintableASCII: Bool {
        let isPrintable = { (byte: UInt8) in 0x20..<0x7F ~= byte }
        return utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPrintable) }
            ?? utf8.allSatisfy(isPrintable)
    }
}

private func escapingControls(in text: String, keepsLines: Bool) -> String {
    if text.isPrintableASCII || !text.unicodeScalars.contains(where: isControl) { return text }
    var result = ""
    var scalars = text.unicodeScalars.makeIterator()
    var next = scalars.next()
    while let scalar = next {
        next = scalars.next()
        switch scalar {
        case "\n" where keepsLines, "\t" where keepsLines: result.unicodeScalars.append(scalar)
        // A Windows line break moves the cursor no further than a line feed does.
        case "\r" where keepsLines && next == "\n": break
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        case _ where isControl(scalar): result += escape(scalar)
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F: true
    case 0x2028, 0x2029: true
    // Bidirectional embeddings, overrides and isolates (Unicode Standard Annex #9).
    case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
}

private func escape(_ scalar: Unicode.Scalar) -> String {
    let width = scalar.value > 0xFF ? 4 : 2
    return (width == 4 ? "\\u" : "\\x") + scalar.value.hexadecimal(width: width)
}
