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

/// Returns the width of a text in terminal columns.
///
/// The text contains control characters only in escape sequences, which take no columns.
func displayWidth(_ text: String) -> Int {
    if text.isPrintableASCII { return text.utf8.count }
    if text.utf8.contains(escapeCharacter) {
        return pieces(of: text).reduce(0) { $0 + ($1.isEscapeSequence ? 0 : displayWidth($1.text)) }
    }
    return text.reduce(0) { $0 + displayWidth(of: $1) }
}

/// The end of a text that remains when the text is cut.
enum KeptEnd {
    case start
    /// The better choice for a path, because its end is the file's name.
    case end
}

/// Returns a text cut to a width in columns, with an ellipsis if it is cut.
///
/// Escape sequences remain, so that a color or a link ends where it should.
func shortened(_ text: String, toWidth width: Int, keeping kept: KeptEnd = .start) -> String {
    guard displayWidth(text) > width else { return text }
    let pieces = pieces(of: text)
    var result: [String] = []
    var used = 0
    var isCut = false
    for piece in kept == .start ? pieces : pieces.reversed() {
        if piece.isEscapeSequence { result.append(piece.text) }
        if piece.isEscapeSequence || isCut { continue }
        var characters: [Character] = []
        for character in kept == .start ? Array(piece.text) : piece.text.reversed() {
            used += displayWidth(of: character)
            isCut = used > width - 1
            if isCut { break }
            characters.append(character)
        }
        if isCut { characters.append("…") }
        result.append(String(kept == .start ? characters : characters.reversed()))
    }
    return (kept == .start ? result : result.reversed()).joined()
}

private let escapeCharacter = UInt8(ascii: "\u{1B}")

/// Returns a text in pieces; each is a single escape sequence or contains none.
private func pieces(of text: String) -> [(text: String, isEscapeSequence: Bool)] {
    var pieces: [(text: String, isEscapeSequence: Bool)] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
        guard first == "\u{1B}" else {
            let plain = rest.prefix { $0 != "\u{1B}" }
            pieces.append((String(plain), false))
            rest = rest.dropFirst(plain.count)
            continue
        }
        let length = escapeSequenceLength(rest)
        pieces.append((String(rest.prefix(length)), true))
        rest = rest.dropFirst(length)
    }
    return pieces
}

/// Returns the length of the escape sequence at the beginning of a text (ECMA-48).
private func escapeSequenceLength(_ text: Substring.UnicodeScalarView) -> Int {
    let content = text.dropFirst(2)
    switch text.dropFirst().first {
    // The control sequences that todosync writes end with a letter.
    case "[": return 3 + content.prefix { !$0.properties.isAlphabetic }.count
    // A command for the terminal ends with ESC \.
    case "]": return 4 + content.prefix { $0 != "\u{1B}" }.count
    default: return 2
    }
}

private func displayWidth(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    // U+FE0F requests the emoji form of a character that also has a text form.
    if scalars.contains("\u{FE0F}") { return 2 }
    return scalars.reduce(0) { max($0, displayWidth(of: $1)) }
}

private func displayWidth(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) || scalar.properties.isEmojiPresentation ? 2 : 1
    }
}

/// Returns whether a character is wide or full-width by Unicode's East Asian Width (Standard Annex #11).
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
        true
    default: false
    }
}
