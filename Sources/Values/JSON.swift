internal import LosslessYAML

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
