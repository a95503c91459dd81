internal import Values

/// Returns a text as one word of one line: what is not a visible character of ASCII is escaped.
func escapedWord(_ text: String) -> String { escaping(text) { $0 > 0x20 && $0 < 0x7F } }

/// Returns a text as part of one line: control characters and what else breaks lines are escaped.
func escapedLine(_ text: String) -> String {
    escaping(text) { $0 >= 0x20 && !(0x7F...0x9F).contains($0) && $0 != 0x2028 && $0 != 0x2029 }
}

/// Escapes characters byte by byte.
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
