internal import LosslessYAML

/// The names of the fields that todosync uses itself.
package enum FieldName {
    package static let id = "id"
    package static let text = "text"
    package static let complete = "complete"
    package static let due = "due"
    package static let priority = "priority"
    package static let tags = "tags"
    package static let notes = "notes"
    package static let every = "every"

    private static let underscore = UInt8(ascii: "_")

    /// Returns whether a name is reserved at the top level, because the tables protocol uses it.
    package static func isReserved(_ name: String) -> Bool {
        let bytes = name.utf8
        // Compare bytes, because `hasPrefix` treats an underscore with an accent as a different character.
        if bytes.first == underscore, bytes.dropFirst().first == underscore { return true }
        // The length rules out most names.
        return switch bytes.count {
        case 2: isCaseVariant(name, of: id) && !name.isSameBytes(as: id)
        case 7: isCaseVariant(name, of: "version") || isCaseVariant(name, of: "deleted")
        case 8: isCaseVariant(name, of: "todosync")
        case 9: isCaseVariant(name, of: "createdat") || isCaseVariant(name, of: "updatedat")
        default: false
        }
    }

    /// Returns whether a name differs from a word of the same length in lowercase letters in case only, if at
    /// all.
    private static func isCaseVariant(_ name: String, of word: String) -> Bool {
        // An ASCII letter differs from its lowercase form only in this bit.
        zip(name.utf8, word.utf8).allSatisfy { $0 | 0x20 == $1 }
    }
}
