/// The terms that the style page replaces, as they occur in names.
struct ReplacedTerms {
    /// The forms of each term in the page's column "Not"; a phrase has two words.
    ///
    /// An *entry* is missing, because YAML's mappings have entries, too.
    static let forms: [String: [String]] = [
        "place": [
            "place", "places", "placed", "placing", "placement", "placements", "displaced", "misplaced",
            "unplaced",
        ],
        "thing": ["thing", "things"],
        "known": ["known", "knows", "knowing"],
        "taken up": phrases(taking, "up"),
        "left alone": phrases(["leave", "leaves", "leaving", "left"], "alone"),
        "bring in": phrases(["bring", "brings", "bringing", "brought"], "in"),
        "take in": phrases(taking, "in"),
        "mine": ["mine"],
        "theirs": ["theirs"],
        "settle": ["settle", "settles", "settling", "settled", "unsettled"],
        "put off": phrases(["put", "puts", "putting"], "off"),
        "carry out": phrases(["carry", "carries", "carrying", "carried"], "out"),
        "take back": phrases(taking, "back"),
        "mended": ["mend", "mends", "mending", "mended"],
        "cut off": phrases(["cut", "cuts", "cutting"], "off"),
        "tell": ["tell", "tells", "telling", "told", "untold"],
        "say": ["say", "says", "saying", "said", "unsaid"],
    ]

    private static let taking = ["take", "takes", "taking", "taken", "took"]

    private static func phrases(_ verbs: [String], _ particle: String) -> [String] {
        verbs.map { "\($0) \(particle)" }
    }

    private static let words = Set(forms.values.joined())

    /// Returns the first of the terms in a name.
    static func first(in name: String) -> String? {
        let words = words(of: name)
        let pairs = zip(words, words.dropFirst()).map { "\($0) \($1)" }
        return (words + pairs).first(where: Self.words.contains)
    }

    /// Returns the words of a name in lowercase: `parsedURLPath` has three, and so has `a raw identifier`.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        let bytes = Array(name.utf8)
        for (index, byte) in bytes.enumerated() {
            let (before, next) = (
                index > 0 ? bytes[index - 1] : 0, index + 1 < bytes.count ? bytes[index + 1] : 0
            )
            let begins = isUpper(byte) && (!isUpper(before) || isLower(next))
            if begins || !isLower(byte) && !isUpper(byte) {
                if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
                word = []
            }
            if isUpper(byte) { word.append(byte | 0x20) } else if isLower(byte) { word.append(byte) }
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    private static func isUpper(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isLower(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
