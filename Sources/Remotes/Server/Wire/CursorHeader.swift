public import TodoModel

/// The header `todosync-cursor` of a batch: in the request up to where the client knows the table's changes,
/// in the answer up to where it knows them now, if its writes are all that came after.
public enum CursorHeader {
    public static let name = "todosync-cursor"
    private static let maximumSize = 4096

    /// - Parameter cursor: nil for the beginning.
    static func text(_ cursor: Cursor?) -> String { (cursor ?? FeedCursor.beginning.cursor).string }

    /// Returns the cursor that a header has; nil if it has none.
    public static func cursor(_ text: String) -> Cursor? {
        let isOne =
            (1...maximumSize).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isOne ? Cursor(text) : nil
    }
}
