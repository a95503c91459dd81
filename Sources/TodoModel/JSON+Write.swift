public import LosslessYAML

extension JSON {
    /// How a value is laid out as text.
    public enum Form: Sendable, Hashable {
        /// Without white space.
        case compact
        /// With a line for each entry, indented by two spaces a level; for people.
        case pretty
        /// Without white space and with the keys of each mapping in the order of their bytes, so that equal
        /// mappings give equal texts.
        case sorted
    }

    /// Writes a value as JSON; numbers in the digits they have.
    public static func write(_ value: Value, form: Form = .compact) -> [UInt8] {
        var bytes: [UInt8] = []
        write(value, form: form, to: &bytes)
        return bytes
    }

    /// Appends a value as JSON to bytes.
    public static func write(_ value: Value, form: Form = .compact, to bytes: inout [UInt8]) {
        var writer = JSONWriter(bytes: bytes, form: form)
        // The buffer moves into the writer and back; two owners would copy it at every value.
        bytes = []
        writer.write(value, indentation: 0)
        bytes = writer.bytes
    }
}

/// Appends values to bytes.
private struct JSONWriter {
    var bytes: [UInt8]
    let form: JSON.Form

    mutating func write(_ value: Value, indentation: Int) {
        switch value {
        case .null: append("null")
        case .bool(true): append("true")
        case .bool(false): append("false")
        case .number(let number): bytes.append(contentsOf: number.json.utf8)
        case .string(let string): write(string)
        case .list(let list): write(list, indentation: indentation)
        case .mapping(let mapping): write(mapping, indentation: indentation)
        }
    }

    private mutating func write(_ list: [Value], indentation: Int) {
        append("[")
        var isFirst = true
        for element in list {
            separate(isFirst: isFirst, indentation: indentation + 1)
            isFirst = false
            write(element, indentation: indentation + 1)
        }
        if !list.isEmpty { startLine(indentation: indentation) }
        append("]")
    }

    private mutating func write(_ mapping: Mapping, indentation: Int) {
        append("{")
        var isFirst = true
        for (key, value) in entries(of: mapping) {
            separate(isFirst: isFirst, indentation: indentation + 1)
            isFirst = false
            write(key)
            append(form == .pretty ? ": " : ":")
            write(value, indentation: indentation + 1)
        }
        if !mapping.isEmpty { startLine(indentation: indentation) }
        append("}")
    }

    private func entries(of mapping: Mapping) -> [Mapping.Entry] {
        guard form == .sorted else { return mapping.entries }
        return mapping.entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private mutating func separate(isFirst: Bool, indentation: Int) {
        if !isFirst { append(",") }
        startLine(indentation: indentation)
    }

    private mutating func startLine(indentation: Int) {
        guard form == .pretty else { return }
        append("\n")
        for _ in 0..<indentation { append("  ") }
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

// MARK: - Strings

extension JSONWriter {
    private mutating func write(_ string: String) {
        append("\"")
        var string = string
        string.withUTF8 { text in
            var plainStart = 0
            var position = 0
            while position < text.count {
                let length = text.lengthOfControlCharacter(at: position)
                guard
                    length > 0 || text[position] == UInt8(ascii: "\"") || text[position] == UInt8(ascii: "\\")
                else {
                    position += 1
                    continue
                }
                bytes.append(contentsOf: text[plainStart..<position])
                // The second of two bytes is the character's number, from U+0080 to U+009F.
                writeEscape(of: text[position + max(length, 1) - 1])
                position += max(length, 1)
                plainStart = position
            }
            bytes.append(contentsOf: text[plainStart...])
        }
        append("\"")
    }

    private mutating func writeEscape(of character: UInt8) {
        switch character {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        default:
            append("\\u00")
            bytes.append(Self.hexadecimalDigit(character >> 4))
            bytes.append(Self.hexadecimalDigit(character & 0x0F))
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns how many bytes the control character at a place has, 0 if there is none.
    ///
    /// RFC 8259 wants only those below U+0020 escaped; U+007F to U+009F are escaped too, because a terminal
    /// obeys them.
    fileprivate func lengthOfControlCharacter(at position: Int) -> Int {
        let byte = self[position]
        if byte < 0x20 || byte == 0x7F { return 1 }
        let isSecondBlock = byte == 0xC2 && position + 1 < count && self[position + 1] < 0xA0
        return isSecondBlock ? 2 : 0
    }
}
