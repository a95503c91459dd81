internal import Values

/// Returns text as a single word: all characters except visible ASCII characters are escaped.
func escapedWord(_ text: String) -> String { escaping(text) { $0 > 0x20 && $0 < 0x7F } }

/// Returns text on a single line: control characters and line separators are escaped.
func escapedLine(_ text: String) -> String {
    escaping(text) { $0 >= 0x20 && !(0x7F...0x9F).contains($0) && $0 != 0x2028 && $0 != 0x2029 }
}

/// Escapes each byte of the characters that don't satisfy a condition as `\xNN`.
private func escaping(_ text: String, unless isPlain: (UInt32) -> Bool) -> String {
    if text.unicodeScalars.allSatisfy({ isPlain($0.value) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if isPlain(scalar.value) {
            result.unicodeScalars.append(scalar)
        } else {
            for byte in UTF8.encode(scalar) ?? .init() { result += "\\x" + [byte].hexadecimal }
        }
    }
    return result
}
