internal import LosslessYAML
package import Values

/// What tells a todo from all others, on every machine: the field `id`.
///
/// Ids are compared byte by byte; ``folded`` is for noticing two that differ only in case.
package struct TodoID: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let form: Form

    /// Ids are looked up for every todo: most of them are UUIDs, which are compared by their bytes.
    private enum Form: Sendable {
        case uuid(BinaryUUID)
        /// Any other string.
        case other(String)
    }

    /// Creates an id, or nil if the string is none by the rules of the tables protocol: 1 to 255 characters,
    /// not blank, not `.` or `..`, without control characters and ``forbiddenCharacters``.
    package init?(_ string: String) {
        self.init(unchecked: string)
        if case .other = form, Self.problem(with: string) != nil { return nil }
    }

    package init(_ uuid: BinaryUUID) { form = .uuid(uuid) }

    private init(unchecked string: String) { form = BinaryUUID(string).map(Form.uuid) ?? .other(string) }

    /// The id as the file has it.
    package var string: String {
        switch form {
        case .uuid(let uuid): uuid.string
        case .other(let string): string
        }
    }

    /// The id as a UUID in lower case; nil if it is none.
    package var uuid: BinaryUUID? { if case .uuid(let uuid) = form { uuid } else { nil } }

    /// The characters besides control characters that no id has.
    package static let forbiddenCharacters = "+?\"/\\`"

    /// Returns in words what is wrong with a string as an id, or nil.
    package static func problem(with string: String) -> String? {
        // Most ids are UUIDs, which need no closer look.
        if !string.isEmpty, string.utf8.count <= 255, string.utf8.allSatisfy(isLetterDigitOrHyphen) {
            return nil
        }
        let scalars = string.unicodeScalars
        if scalars.allSatisfy(\.properties.isWhitespace) { return "an id can't be blank" }
        if scalars.count > 255 { return "an id has at most 255 characters" }
        if string == "." || string == ".." { return "an id can't be . or .." }
        for scalar in scalars {
            if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
                return "an id can't hold control characters"
            }
            if forbiddenCharacters.unicodeScalars.contains(scalar) { return "an id can't hold \(scalar)" }
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

    /// The id in lower case; two todos whose folded ids are equal can't live together.
    package var folded: TodoID {
        guard case .other(let string) = form, !Self.isPlainLowerCase(string) else { return self }
        return TodoID(unchecked: string.lowercased())
    }

    /// Whether the id is as ``folded`` has it.
    package var isFolded: Bool { self == folded }

    /// Whether a string is ASCII without capital letters, as most ids are.
    private static func isPlainLowerCase(_ string: String) -> Bool {
        string.utf8.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// The id's first eight characters, for names made unique by it.
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
