extension PathRules {
    /// Returns the stem of a file name for a todo's text: `Buy milk, now!` becomes `buy-milk-now`.
    ///
    /// Letters and digits of any script stay, in lowercase; everything else becomes a single `-`. The slug
    /// has at most 60 characters and 200 bytes, and is `todo` if nothing is left. Names that Windows reserves
    /// get the suffix `-todo`, so folders can be copied to Windows.
    package static func slug(of text: String) -> String {
        var slug = ""
        var length = 0
        var needsHyphen = false
        for character in text {
            if length >= maximumSlugLength || slug.utf8.count >= maximumSlugBytes { break }
            let kept = keptScalars(of: character)
            if kept.isEmpty {
                needsHyphen = !slug.isEmpty
                continue
            }
            let part = (needsHyphen ? "-" : "") + kept
            if slug.utf8.count + part.utf8.count > maximumSlugBytes { break }
            length += needsHyphen ? 2 : 1
            if length > maximumSlugLength { break }
            slug += part
            needsHyphen = false
        }
        if slug.isEmpty { return "todo" }
        return isReservedByWindows(slug) ? slug + "-todo" : slug
    }

    /// Returns the letters, their marks and the digits of a character in lowercase; empty for any other
    /// character.
    private static func keptScalars(of character: Character) -> String {
        guard let first = character.unicodeScalars.first, isLetterOrDigit(first) else { return "" }
        var kept = String.UnicodeScalarView()
        for scalar in character.lowercased().unicodeScalars where isLetterOrDigit(scalar) || isMark(scalar) {
            kept.append(scalar)
        }
        return String(kept)
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber,
            .letterNumber:
            true
        default: false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: false
        }
    }

    private static func isReservedByWindows(_ slug: String) -> Bool {
        if ["con", "prn", "aux", "nul"].contains(slug) { return true }
        let bytes = Array(slug.utf8)
        return bytes.count == 4 && (slug.hasPrefix("com") || slug.hasPrefix("lpt"))
            && UInt8(ascii: "1")...UInt8(ascii: "9") ~= bytes[3]
    }

    private static let maximumSlugLength = 60
    private static let maximumSlugBytes = 200
}
