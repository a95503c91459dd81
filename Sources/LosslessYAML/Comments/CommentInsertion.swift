/// Text that inserts a comment of one document into another.
package struct CommentInsertion: Sendable {
    /// The offset where the text is inserted.
    package let offset: Int
    /// The comment, with the blanks and line breaks around it.
    package internal(set) var text: [UInt8]
    /// Whether the comment is about the text before the offset instead of the text after it.
    package let isBehind: Bool
}

extension Document {
    /// Returns insertions that put another document's comments next to the same fields and items in this
    /// document.
    ///
    /// A comment about a field or item that this document lacks goes above the next field or item. Callers
    /// must parse the edited text to check it, because a comment can end up inside a block scalar.
    ///
    /// - Parameter comments: Ranges in `source`, in ascending order.
    /// - Returns: The insertions by ascending offset; insertions at the same offset are in the order of the
    ///   comments.
    package func insertions(of comments: [Range<Int>], from source: Document) -> [CommentInsertion] {
        guard !comments.isEmpty else { return [] }
        return source.bytes.withUnsafeBufferPointer { sourceBytes in
            bytes.withUnsafeBufferPointer { targetBytes in
                let writer = CommentWriter(targetBytes, lineBreak: Layout(self).lineBreak)
                var placement = CommentPlacement(source: sourceBytes, writer: writer)
                placement.place(comments, from: source.root, to: root)
                return placement.writer.sortedInsertions
            }
        }
    }

    /// Returns the text with the comments that another document has and this document lacks.
    ///
    /// Each comment is put next to its field or item. If that would change a value, all comments go to the
    /// top.
    package func addingComments(of source: Document) -> [UInt8] {
        var present: [ArraySlice<UInt8>: Int] = [:]
        for range in comments { present[comment(range), default: 0] += 1 }
        let lost = source.comments.filter { range in
            present[source.comment(range), default: 0] -= 1
            return present[source.comment(range), default: 0] < 0
        }
        if lost.isEmpty { return bytes }
        var splices = Splices()
        for insertion in insertions(of: lost, from: source) {
            splices.insert(insertion.text, at: insertion.offset)
        }
        let text = bytes.withUnsafeBufferPointer { splices.applied(to: $0) }
        if let text, let result = try? Document(parsing: text), result.fields == fields { return text }
        let lines = lost.flatMap { source.comment($0) + Layout(self).lineBreak }
        let start = bytes.withUnsafeBufferPointer(\.lengthOfByteOrderMark)
        return Array(bytes[..<start] + lines + bytes[start...])
    }
}
