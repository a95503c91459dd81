/// The name of a table of a store.
///
/// Names are matched without regard to the case of their letters; ``string`` keeps the case that was given.
package struct TableName: Sendable {
    package let string: String

    /// The table of a URL that names none.
    package static let standard = TableName(checked: "todoitem")

    /// Creates a name, or nil if it is not a letter or underscore and up to 127 letters, digits and
    /// underscores.
    package init?(_ string: String) {
        let bytes = string.utf8
        guard let first = bytes.first, bytes.count <= 128, first.isLetterOrUnderscore,
            bytes.allSatisfy({
                $0.isLetterOrUnderscore || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            })
        else { return nil }
        self.init(checked: string)
    }

    private init(checked string: String) { self.string = string }

    /// The name in lower case: the same for all spellings of one table's name.
    var folded: String { string.lowercased() }
}

extension TableName: Hashable {
    package static func == (left: TableName, right: TableName) -> Bool { left.folded == right.folded }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

extension UInt8 {
    fileprivate var isLetterOrUnderscore: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
