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

    private static let reservedNames: Set<String> = [
        "version", "deleted", "createdat", "updatedat", "todosync",
    ]

    private static let underscore = UInt8(ascii: "_")

    /// Returns whether a name is reserved at the top level, because the tables protocol uses it.
    package static func isReserved(_ name: String) -> Bool {
        let bytes = name.utf8
        // Compare bytes, because `hasPrefix` treats an underscore with an accent as a different character.
        if bytes.first == underscore, bytes.dropFirst().first == underscore { return true }
        // The length rules out most names without allocating a lowercase string.
        guard bytes.count == 2 || (7...9).contains(bytes.count) else { return false }
        if bytes.count == 2 { return !name.isSameBytes(as: id) && name.lowercased() == id }
        return reservedNames.contains(name.lowercased())
    }
}
