/// A command line up to the cursor, split into words as a shell would.
///
/// It makes no substitutions, and treats an operator such as `<` as an ordinary character.
struct TypedLine {
    /// The words before the one at the cursor.
    private(set) var words: [String] = []
    /// The word at the cursor so far; empty after white space.
    private(set) var last = ""
    /// The quotation mark that is open at the cursor.
    private(set) var quote: Character?

    init(_ line: String) {
        var isWord = false
        var characters = line.makeIterator()
        while let character = characters.next() {
            switch (character, quote) {
            case ("\\", nil):
                if let next = characters.next() { last.append(next) }
                isWord = true
            case ("\\", "\""?):
                guard let next = characters.next() else { break }
                last += "\"\\$`".contains(next) ? "\(next)" : "\\\(next)"
            case ("'", nil), ("\"", nil): (quote, isWord) = (character, true)
            case (_, let quote?) where character == quote: self.quote = nil
            case (_, nil) where character.isWhitespace:
                if isWord { words.append(last) }
                (last, isWord) = ("", false)
            default:
                last.append(character)
                isWord = true
            }
        }
    }
}
