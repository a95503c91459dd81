internal import LosslessYAML

/// The names of fields that mean something to todosync.
package enum FieldName {
    package static let id = "id"
    package static let text = "text"
    package static let complete = "complete"
    package static let due = "due"
    package static let priority = "priority"
    package static let tags = "tags"
    package static let notes = "notes"

    private static let reservedNames: Set<String> = [
        "version", "deleted", "createdat", "updatedat", "todosync",
    ]

    private static let underscore = UInt8(ascii: "_")

    /// Returns whether a top-level field can't have this name, because the tables protocol uses it.
    package static func isReserved(_ name: String) -> Bool {
        let bytes = name.utf8
        // By bytes: to `hasPrefix` an underscore with an accent is another character.
        if bytes.first == underscore, bytes.dropFirst().first == underscore { return true }
        // Most names are told apart by their length, without making a string.
        guard bytes.count == 2 || (7...9).contains(bytes.count) else { return false }
        if bytes.count == 2 { return !name.isSameBytes(as: id) && name.lowercased() == id }
        return reservedNames.contains(name.lowercased())
    }
}
