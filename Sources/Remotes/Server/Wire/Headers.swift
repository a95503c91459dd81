package import TodoModel

/// The headers of a request or response, in order; names are case-insensitive.
package struct Headers: Sendable, Hashable {
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var fields: [Field]

    package init(_ fields: [Field] = []) { self.fields = fields }

    /// Returns the values of the headers with a name, in order.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The value of the first header with a name; setting it replaces all headers with the name.
    package subscript(_ name: String) -> String? {
        get { values(name).first }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }
}

/// A version in the format of the headers `ETag` and `If-Match`: in quotation marks, with inner quotation
/// marks escaped as `\"`.
package enum EntityTag {
    package static func text(_ version: Version) -> String {
        var text = "\""
        for character in version.string.unicodeScalars {
            if character == "\"" { text += "\\" }
            text.unicodeScalars.append(character)
        }
        return text + "\""
    }

    /// Parses an `ETag`; nil for a weak tag, which doesn't identify the record's version.
    static func version(_ text: String) -> Version? {
        guard !text.hasPrefix("W/") else { return nil }
        guard text.hasPrefix("\"") else { return WireRecord.version(text) }
        guard text.hasSuffix("\""), text.utf8.count >= 2 else { return nil }
        let inner = text.dropFirst().dropLast()
        return WireRecord.version(
            inner.split(separator: "\\\"", omittingEmptySubsequences: false).joined(separator: "\""))
    }
}

/// The header `todosync-cursor` of the response to a batch: the cursors before and after the batch's writes,
/// separated by a space; absent if other writes came in between.
package enum CursorHeader {
    package static let name = "todosync-cursor"
    private static let maximumSize = 4096

    package static func text(_ part: HistoryPart) -> String {
        "\(part.start.string) \(part.end.string)"
    }

    /// Returns the part of the history that a header describes; nil if the header is invalid.
    static func part(_ text: String) -> HistoryPart? {
        guard text.utf8.count <= maximumSize else { return nil }
        let cursors = text.split(separator: " ", omittingEmptySubsequences: false)
        guard cursors.count == 2,
            cursors.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
        else { return nil }
        let (start, end) = (Cursor(String(cursors[0])), Cursor(String(cursors[1])))
        return HistoryPart(start: start, end: end, isFirst: start == FeedCursor.beginning.cursor)
    }
}
