internal import LosslessYAML

/// The parts of a term: a field, an operator and a value, such as `tag:home` or `due<fri`.
struct FilterForm {
    let field: String
    let comparison: Comparison
    let value: String

    /// Creates the parts of a term; nil for a word in a different form.
    ///
    /// A field begins with a letter and continues with letters, digits, `-`, `_` and `.`, so `12:30` is a
    /// word. A URL is a word too.
    init?(_ word: String) {
        let bytes = word.utf8
        guard let first = bytes.first, Self.isLetter(first) else { return nil }
        let name = bytes.prefix { Self.isLetter($0) || Self.isDigit($0) || "-_.".utf8.contains($0) }
        var rest = bytes.dropFirst(name.count)
        switch rest.popFirst() {
        case UInt8(ascii: ":"):
            if rest.starts(with: "//".utf8) { return nil }
            comparison = .equal
        case UInt8(ascii: "<"): comparison = Self.takeEqualsSign(&rest) ? .lessOrEqual : .less
        case UInt8(ascii: ">"): comparison = Self.takeEqualsSign(&rest) ? .greaterOrEqual : .greater
        default: return nil
        }
        field = String(decoding: name, as: UTF8.self)
        value = String(decoding: rest, as: UTF8.self)
    }

    private static func takeEqualsSign(_ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: "=") else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns whether a byte belongs to a letter; every byte outside ASCII counts as one.
    private static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

extension Filter {
    static let overdue = "overdue"
    /// An alternative to the `-` before a term; it can't be mistaken for an option.
    static let negation = "not:"

    /// Returns whether a word is negated, and the word without the sign.
    static func splitNegation(_ word: String) -> (isNegated: Bool, rest: String) {
        for sign in ["-", negation]
        where word.utf8.starts(with: sign.utf8) && word.utf8.count > sign.utf8.count {
            return (true, String(decoding: word.utf8.dropFirst(sign.utf8.count), as: UTF8.self))
        }
        return (false, word)
    }

    /// Returns whether an argument is a term, not the name of a todo or a word to look for.
    static func isTerm(_ argument: String) -> Bool {
        let rest = splitNegation(argument).rest
        return rest == overdue || rest.utf8.first == UInt8(ascii: "@") && rest.utf8.count > 1
            || FilterForm(rest) != nil
    }
}
