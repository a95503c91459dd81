/// Returns the numbers of the lines, from 1, that contain a pattern as a separate word.
///
/// A pattern that begins or ends with a letter, digit or underscore doesn't match part of a longer word, and
/// one that begins with a slash doesn't match the end of a longer path. A call such as `exit(` doesn't match
/// a method (`stream.exit(`) or a declaration (`func exit(`), but it matches a call with the module's name.
func linesWithOccurrences(of pattern: String, in text: [UInt8]) -> [Int] {
    let pattern = Array(pattern.utf8)
    guard let first = pattern.first, let last = pattern.last else { return [] }
    var lines: [Int] = []
    var line = 1
    for start in text.indices {
        if text[start] == UInt8(ascii: "\n") { line += 1 }
        guard text[start] == first, text[start...].starts(with: pattern) else { continue }
        let end = start + pattern.count
        if isWord(last), end < text.count, isWord(text[end]) { continue }
        let before = text[..<start]
        let isOwn =
            switch first {
            case UInt8(ascii: "/"): before.last.map { !isWord($0) && $0 != UInt8(ascii: ".") } ?? true
            case _ where isWord(first): isWordBoundary(after: before, isCall: last == UInt8(ascii: "("))
            default: true
            }
        if isOwn, lines.last != line { lines.append(line) }
    }
    return lines
}

/// Returns whether a word can begin after a text, and a call there can be a call of a free function.
private func isWordBoundary(after text: ArraySlice<UInt8>, isCall: Bool) -> Bool {
    guard let last = text.last else { return true }
    if isWord(last) { return false }
    guard isCall else { return true }
    if last == UInt8(ascii: ".") {
        let qualifier = text.dropLast().suffix(while: isWord)
        return ["Swift", "Glibc", "Darwin", "Foundation"].contains { qualifier.elementsEqual($0.utf8) }
    }
    return !text.suffix(5).elementsEqual("func ".utf8)
}

/// Returns whether a byte can be part of an identifier in ASCII.
func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: false
    }
}

extension BidirectionalCollection {
    /// Returns the longest suffix whose elements all satisfy the predicate.
    fileprivate func suffix(while predicate: (Element) -> Bool) -> SubSequence {
        self[(lastIndex { !predicate($0) }.map { index(after: $0) } ?? startIndex)...]
    }
}
