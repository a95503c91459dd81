internal import LosslessYAML
package import Values

/// The identity of a todo on every machine: its field `id`.
///
/// Ids are compared byte by byte. ``folded`` detects ids that differ only in case.
package struct TodoID: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let form: Form

    /// The form that an id is stored in.
    ///
    /// Most ids are UUIDs, which are faster to compare and hash as 16 bytes than as strings.
    private enum Form: Sendable {
        case uuid(BinaryUUID)
        /// Any other string.
        case other(String)
    }

    /// Creates an id; nil if the string isn't a valid id in the tables protocol.
    ///
    /// An id has 1 to 255 characters, isn't blank, isn't `.` or `..`, and has no control characters or
    /// ``forbiddenCharacters``.
    package init?(_ string: String) {
        self.init(unchecked: string)
        if case .other = form, Self.problem(with: string) != nil { return nil }
    }

    package init(_ uuid: BinaryUUID) { form = .uuid(uuid) }

    private init(unchecked string: String) { form = BinaryUUID(string).map(Form.uuid) ?? .other(string) }

    /// The id as written in the file.
    package var string: String {
        switch form {
        case .uuid(let uuid): uuid.string
        case .other(let string): string
        }
    }

    /// The id as a UUID; nil if it isn't a UUID in lowercase.
    package var uuid: BinaryUUID? { if case .uuid(let uuid) = form { uuid } else { nil } }

    /// The characters that an id can't contain, besides control characters.
    package static let forbiddenCharacters = "+?\"/\\`"

    /// Returns the reason why a string isn't a valid id, as a phrase; nil if the string is valid.
    package static func problem(with string: String) -> String? {
        // Fast path: most ids are UUIDs.
        if !string.isEmpty, string.utf8.count <= 255, string.utf8.allSatisfy(isLetterDigitOrHyphen) {
            return nil
        }
        let scalars = string.unicodeScalars
        if scalars.allSatisfy(\.properties.isWhitespace) { return "an id can't be blank" }
        if scalars.count > 255 { return "an id can't have more than 255 characters" }
        if string == "." || string == ".." { return "an id can't be . or .." }
        for scalar in scalars {
            if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
                return "an id can't contain control characters"
            }
            if forbiddenCharacters.unicodeScalars.contains(scalar) { return "an id can't contain \(scalar)" }
        }
        return nil
    }

    private static func isLetterDigitOrHyphen(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The id in lowercase.
    ///
    /// Two todos with the same folded id are duplicates.
    package var folded: TodoID {
        guard case .other(let string) = form, !Self.isPlainLowerCase(string) else { return self }
        return TodoID(unchecked: string.lowercased())
    }

    /// Whether the id equals its ``folded`` form.
    package var isFolded: Bool { self == folded }

    /// Returns whether a string is ASCII without capital letters, like most ids.
    private static func isPlainLowerCase(_ string: String) -> Bool {
        string.utf8.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// The id's first eight characters, which make a file name unique.
    package var beginning: String { String(string.prefix(8)) }

    package var description: String { string }

    package static func == (left: TodoID, right: TodoID) -> Bool {
        switch (left.form, right.form) {
        case (.uuid(let left), .uuid(let right)): left == right
        case (.other(let left), .other(let right)): left.isSameBytes(as: right)
        case (.uuid, .other), (.other, .uuid): false
        }
    }

    package static func < (left: TodoID, right: TodoID) -> Bool {
        if case (.uuid(let left), .uuid(let right)) = (left.form, right.form) { return left < right }
        return left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        switch form {
        case .uuid(let uuid): uuid.hash(into: &hasher)
        case .other(let string): ByteKey(string).hash(into: &hasher)
        }
    }
}
