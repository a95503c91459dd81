package import LosslessYAML

/// Parses and writes JSON (RFC 8259) without losing a digit, with limits on size, depth and the number of
/// values.
package enum JSON {
    /// The reason why a text isn't valid JSON, with its position.
    package struct Problem: Error, Sendable, Hashable {
        package let reason: Reason
        /// The offset in bytes from the beginning of the text.
        package let offset: Int
    }

    /// The kind of problem, described by ``JSON/Problem/message``.
    package enum Reason: Sendable, Hashable {
        case endsTooEarly
        case unexpectedByte(UInt8)
        case textAfterEnd
        case notUTF8
        /// A control character in a string isn't escaped.
        case controlCharacter(UInt8)
        case badEscape
        /// A string has half of a UTF-16 surrogate pair, as in `"\ud800"`.
        case loneSurrogate
        case badNumber(String)
        case repeatedKey(String)
        case tooDeep(maximum: Int)
        case tooLarge(maximum: Int)
        case tooManyValues(maximum: Int)
    }
}

extension JSON.Problem {
    /// The problem as a phrase, without its position.
    package var message: String {
        switch reason {
        case .endsTooEarly: "the text ends too early"
        case .unexpectedByte(let byte): "unexpected \(JSON.name(of: byte))"
        case .textAfterEnd: "something follows the value"
        case .notUTF8: "not UTF-8"
        case .controlCharacter(let byte): "\(JSON.name(of: byte)) in a string"
        case .badEscape: "an unknown escape in a string"
        case .loneSurrogate: "half of a surrogate pair in a string"
        case .badNumber(let text): "not a number: \(text)"
        case .repeatedKey(let key): "the key \(JSON.quoted(key)) is repeated"
        case .tooDeep(let maximum): "more than \(maximum) levels"
        case .tooLarge(let maximum): "more than \(maximum) bytes"
        case .tooManyValues(let maximum): "more than \(maximum) values"
        }
    }
}

extension JSON.Problem: CustomStringConvertible {
    package var description: String { "byte \(offset): \(message)" }
}

extension JSON {
    /// Returns a byte's name for a message.
    ///
    /// Only printable ASCII is shown unchanged.
    private static func name(of byte: UInt8) -> String {
        if (0x21...0x7E).contains(byte) { return "'\(Character(Unicode.Scalar(byte)))'" }
        return "byte 0x\(byte.hexadecimal(width: 2, uppercase: true))"
    }

    /// Returns a string that is safe to print: quoted, escaped and shortened to 40 characters.
    private static func quoted(_ string: String) -> String {
        let beginning = String(string.prefix(40))
        return String(decoding: write(.string(beginning)), as: UTF8.self)
    }
}

extension JSON {
    /// The layout of JSON text.
    package enum Form: Sendable, Hashable {
        /// Without white space.
        case compact
        /// With a separate line for each entry, indented by two spaces for each level.
        ///
        /// This form is for display, so characters that would change the direction of text on a terminal are
        /// escaped.
        case pretty
        /// Without white space and with the keys of each mapping in byte order, so that equal mappings have
        /// equal text.
        case sorted
    }

    /// Returns a value as JSON.
    ///
    /// Numbers keep their digits.
    package static func write(_ value: Value, form: Form = .compact) -> [UInt8] {
        var bytes: [UInt8] = []
        // This is enough for most todos, so the buffer rarely grows.
        bytes.reserveCapacity(512)
        write(value, form: form, to: &bytes)
        return bytes
    }

    /// Appends a value to bytes as JSON.
    package static func write(_ value: Value, form: Form = .compact, to bytes: inout [UInt8]) {
        var writer = JSONWriter(bytes: bytes, form: form)
        // Move the buffer into the writer and back, because a second owner would make each write copy it.
        bytes = []
        writer.write(value, indentation: 0)
        bytes = writer.bytes
    }

    /// Appends a string to bytes as JSON.
    package static func write(_ string: String, to bytes: inout [UInt8]) {
        var writer = JSONWriter(bytes: bytes, form: .compact)
        bytes = []
        writer.write(string)
        bytes = writer.bytes
    }

    /// Appends text to bytes as a JSON string; returns false, and appends nothing, if the text isn't UTF-8.
    package static func write(text: [UInt8], to bytes: inout [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { text in
            guard text.firstInvalidUTF8Offset == nil else { return false }
            var writer = JSONWriter(bytes: bytes, form: .compact)
            bytes = []
            writer.write(text)
            bytes = writer.bytes
            return true
        }
    }
}

/// Writes values to a buffer as JSON.
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
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in list {
            separate(isFirst: isFirst, indentation: indentation + 1)
            isFirst = false
            write(element, indentation: indentation + 1)
        }
        if !list.isEmpty { startLine(indentation: indentation) }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ mapping: Mapping, indentation: Int) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (key, value) in entries(of: mapping) {
            separate(isFirst: isFirst, indentation: indentation + 1)
            isFirst = false
            write(key)
            bytes.append(UInt8(ascii: ":"))
            if form == .pretty { bytes.append(UInt8(ascii: " ")) }
            write(value, indentation: indentation + 1)
        }
        if !mapping.isEmpty { startLine(indentation: indentation) }
        bytes.append(UInt8(ascii: "}"))
    }

    private func entries(of mapping: Mapping) -> [Mapping.Entry] {
        guard form == .sorted else { return mapping.entries }
        return mapping.entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private mutating func separate(isFirst: Bool, indentation: Int) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
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
    fileprivate mutating func write(_ string: String) {
        var string = string
        string.withUTF8 { write($0) }
    }

    fileprivate mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var plainStart = 0
        var position = 0
        while position < text.count {
            if let eight = EightBytes(text, at: position) {
                let matches =
                    eight.possibleEscapes | (form == .pretty ? eight.possibleDirectionControls : 0)
                position += EightBytes.count(before: matches)
                if matches == 0 { continue }
            }
            let length = text.lengthToEscape(at: position)
            let control = form == .pretty ? text.directionControl(at: position) : nil
            guard length > 0 || control != nil else {
                position += 1
                continue
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plainStart..<position]))
            position += control?.utf8.count ?? length
            plainStart = position
            if let control {
                writeEscape(of: control)
            } else {
                // For U+0080 to U+009F, the second of the two bytes equals the code point.
                writeEscape(of: text[position - 1])
            }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plainStart...]))
        bytes.append(UInt8(ascii: "\""))
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
            bytes.append(UInt8(hexadecimalDigitOf: character >> 4))
            bytes.append(UInt8(hexadecimalDigitOf: character & 0x0F))
        }
    }

    private mutating func writeEscape(of control: Unicode.Scalar) {
        append("\\u")
        for shift in [12, 8, 4, 0] {
            bytes.append(UInt8(hexadecimalDigitOf: UInt8(control.value >> shift & 0x0F)))
        }
    }
}

extension EightBytes {
    /// The bytes that are, or can begin, a character that has to be escaped.
    fileprivate var possibleEscapes: UInt64 {
        controls | matches(of: UInt8(ascii: "\"")) | matches(of: UInt8(ascii: "\\")) | matches(of: 0x7F)
            | matches(of: 0xC2)
    }

    /// The bytes that can begin a bidirectional control character.
    fileprivate var possibleDirectionControls: UInt64 { matches(of: 0xD8) | matches(of: 0xE2) }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the length in bytes of the character at an offset if it must be escaped; otherwise 0.
    ///
    /// RFC 8259 requires escapes for the control characters below U+0020. U+007F to U+009F are escaped, too,
    /// because terminals interpret them.
    fileprivate func lengthToEscape(at position: Int) -> Int {
        switch self[position] {
        case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F: 1
        case 0xC2: position + 1 < count && self[position + 1] < 0xA0 ? 2 : 0
        default: 0
        }
    }

    /// Returns the bidirectional control character (Unicode Standard Annex #9), line separator or paragraph
    /// separator at an offset; nil if there isn't one.
    fileprivate func directionControl(at position: Int) -> Unicode.Scalar? {
        let value: UInt32
        switch self[position] {
        case 0xD8 where position + 1 < count:
            value = 0x0600 | UInt32(self[position + 1] & 0x3F)
        case 0xE2 where position + 2 < count:
            value = 0x2000 | UInt32(self[position + 1] & 0x3F) << 6 | UInt32(self[position + 2] & 0x3F)
        default: return nil
        }
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return Unicode.Scalar(value)
        default: return nil
        }
    }
}
