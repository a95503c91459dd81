/// Swift source with spaces in place of comments and the text of string literals.
///
/// Line breaks stay, so that lines keep their numbers, and so does the code in interpolations. Regular
/// expression literals are replaced, too.
struct SwiftCode: Sendable {
    private(set) var bytes: [UInt8]
    private let source: [UInt8]
    private var position = 0

    init(_ source: [UInt8]) {
        self.source = source
        bytes = []
        bytes.reserveCapacity(source.count)
        takeCode(untilParenthesis: false)
    }

    /// Copies code to the end, or to the parenthesis that closes an interpolation.
    private mutating func takeCode(untilParenthesis: Bool) {
        var depth = 0
        while position < source.count {
            switch source[position] {
            case UInt8(ascii: "/") where starts("//"):
                while position < source.count, source[position] != UInt8(ascii: "\n") { blank() }
                continue
            case UInt8(ascii: "/") where starts("/*"):
                blankNestedComment()
                continue
            case UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "\""):
                if let length = regularExpressionLength() {
                    blank(length)
                    continue
                }
                if let hashes = hashesBeforeQuote() {
                    takeString(hashes: hashes)
                    continue
                }
            case UInt8(ascii: "("):
                depth += 1
            case UInt8(ascii: ")"):
                if untilParenthesis && depth == 0 { return }
                depth -= 1
            default:
                break
            }
            bytes.append(source[position])
            position += 1
        }
    }

    private mutating func blankNestedComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                blank(2)
            } else if starts("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && position < source.count
    }

    /// Skips a string literal that begins here, with the given number of number signs before its quotation
    /// mark.
    private mutating func takeString(hashes: Int) {
        blank(hashes)
        let quotes = starts("\"\"\"\n") ? 3 : 1
        blank(quotes)
        let end = String(repeating: "\"", count: quotes) + String(repeating: "#", count: hashes)
        let escape = "\\" + String(repeating: "#", count: hashes)
        while position < source.count, !starts(end) {
            if starts(escape + "(") {
                blank(escape.utf8.count + 1)
                takeCode(untilParenthesis: true)
                blank()
            } else if starts(escape) {
                blank(escape.utf8.count + 1)
            } else {
                blank()
            }
        }
        blank(end.utf8.count)
    }

    /// Returns the number of number signs before a quotation mark; nil if no string literal begins here.
    private func hashesBeforeQuote() -> Int? {
        var end = position
        while end < source.count, source[end] == UInt8(ascii: "#") { end += 1 }
        return end < source.count && source[end] == UInt8(ascii: "\"") ? end - position : nil
    }

    /// Returns the length of a regular expression literal that begins here; nil if none does.
    ///
    /// A slash can also divide, so the character before it decides.
    private func regularExpressionLength() -> Int? {
        guard let before = bytes.last(where: { $0 != UInt8(ascii: " ") }), "(,=:".utf8.contains(before),
            starts("#/") || starts("/") && !starts("/ ")
        else { return nil }
        let end = Array((starts("#/") ? "/#" : "/").utf8)
        var index = position + end.count
        var isInClass = false
        while index < source.count, source[index] != UInt8(ascii: "\n") {
            switch source[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case _ where !isInClass && source[index...].starts(with: end): return index + end.count - position
            default: break
            }
            index += 1
        }
        return nil
    }

    private func starts(_ text: String) -> Bool {
        source[position...].starts(with: text.utf8)
    }

    private mutating func blank(_ count: Int = 1) {
        for byte in source[position...].prefix(count) {
            bytes.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
        }
        position = min(position + count, source.count)
    }
}

extension SwiftCode {
    /// The identifiers in the code, each with the number of its line; a raw identifier has no backticks.
    var names: [(name: String, line: Int)] {
        var names: [(name: String, line: Int)] = []
        var line = 1
        var start = bytes.startIndex
        while start < bytes.endIndex {
            var rest = bytes[start...]
            switch bytes[start] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "`"):
                rest = rest.dropFirst().prefix { $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "\n") }
                names.append((String(decoding: rest, as: UTF8.self), line))
                start = rest.endIndex
            case _ where isWord(bytes[start]):
                rest = rest.prefix(while: isWord)
                names.append((String(decoding: rest, as: UTF8.self), line))
                start = rest.endIndex - 1
            default: break
            }
            start += 1
        }
        return names
    }
}
