/// Counts the methods of types over all their extensions in a module.
struct MethodCounts {
    /// The number of methods, initializers and subscripts that each type declares, by its full name.
    private(set) var counts: [String: Int] = [:]

    /// The enclosing types of the current position, each with the depth of its braces.
    private var openTypes: [(name: String, depth: Int)] = []
    private var depth = 0

    init(_ files: [SwiftFile]) {
        for file in files { count(file.code.bytes) }
    }

    init(_ code: SwiftCode) { count(code.bytes) }

    private mutating func count(_ code: [UInt8]) {
        (openTypes, depth) = ([], 0)
        var words = Words(code)
        var declared: String?
        while let word = words.next() {
            switch word {
            case "struct", "class", "enum", "actor", "protocol", "extension":
                // `class func` and `class var` don't declare types.
                guard let name = words.peek(), name != "func", name != "var" else { continue }
                let isNested = word != "extension" && !openTypes.isEmpty
                declared = (isNested ? openTypes[openTypes.count - 1].name + "." : "") + name
            case "func", "init", "subscript":
                guard let type = openTypes.last, type.depth == depth else { continue }
                counts[type.name, default: 0] += 1
            case "{":
                depth += 1
                if let name = declared { openTypes.append((name, depth)) }
                declared = nil
            case "}":
                if openTypes.last?.depth == depth { openTypes.removeLast() }
                depth -= 1
            default: break
            }
        }
    }
}

/// The words and braces of Swift code.
///
/// A word after a dot belongs to the word before it.
private struct Words {
    private let code: [UInt8]
    private var position = 0

    init(_ code: [UInt8]) { self.code = code }

    func peek() -> String? {
        var words = self
        return words.next()
    }

    mutating func next() -> String? {
        while position < code.count, !isWord(code[position]), !isBrace(code[position]) {
            // A case of an enumeration or a member, such as `.init`.
            if code[position] == UInt8(ascii: ".") {
                position += 1
                while position < code.count, isWord(code[position]) { position += 1 }
            } else {
                position += 1
            }
        }
        guard position < code.count else { return nil }
        let start = position
        position += 1
        if isWord(code[start]) {
            while position < code.count, isWord(code[position]) || code[position] == UInt8(ascii: ".") {
                position += 1
            }
        }
        return String(decoding: code[start..<position], as: UTF8.self)
    }

    private func isBrace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") }

    private func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
