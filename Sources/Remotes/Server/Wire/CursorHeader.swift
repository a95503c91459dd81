package import TodoModel

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
