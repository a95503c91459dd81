/// Swift source with spaces in place of comments and the text of string literals.
///
/// Line breaks stay, so that lines keep their numbers, and so does the code in interpolations. Regular
/// expression literals are not recognized; none in this repository contains a quotation mark.
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
            case UInt8(ascii: "#"), UInt8(ascii: "\""):
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
        let quotes = starts("\"\"\"") ? 3 : 1
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
