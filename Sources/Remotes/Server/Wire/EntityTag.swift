package import TodoModel

/// A version in the format of the headers `ETag` and `If-Match`: in quotation marks, with inner quotation
/// marks escaped as `\"`.
package enum EntityTag {
    package static func text(_ version: Version) -> String {
        var text = "\""
        for character in version.string.unicodeScalars {
            if character == "\"" { text += "\\" }
            text.unicodeScalars.append(character)
        }
        return text + "\""
    }

    /// Parses an `ETag`; nil for a weak tag, which doesn't identify the record's version.
    static func version(_ text: String) -> Version? {
        guard !text.hasPrefix("W/") else { return nil }
        guard text.hasPrefix("\"") else { return WireRecord.version(text) }
        guard text.hasSuffix("\""), text.utf8.count >= 2 else { return nil }
        let inner = text.dropFirst().dropLast()
        return WireRecord.version(
            inner.split(separator: "\\\"", omittingEmptySubsequences: false).joined(separator: "\""))
    }
}
