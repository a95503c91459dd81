/// The name of a table of a store.
///
/// Names are compared regardless of case; ``string`` keeps the case.
package struct TableName: Sendable {
    package let string: String
    /// The name in lowercase, which is the same for all spellings of a table's name.
    let folded: String

    /// The table of a URL that doesn't name one.
    package static let standard = TableName(checked: "todoitem")

    /// Creates a name; nil unless it is a letter or underscore, followed by up to 127 letters, digits and
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

    private init(checked string: String) {
        self.string = string
        folded = string.lowercased()
    }
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
