/// Returns a text as one word of one line: what is not a visible character of ASCII is escaped.
func escapedWord(_ text: String) -> String { escaping(text) { $0 > 0x20 && $0 < 0x7F } }

/// Returns a text as part of one line: control characters are escaped.
func escapedLine(_ text: String) -> String { escaping(text) { $0 >= 0x20 && $0 != 0x7F } }

private func escaping(_ text: String, unless isPlain: (UInt8) -> Bool) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
        if isPlain(byte) {
            bytes.append(byte)
        } else {
            bytes += "\\x\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
