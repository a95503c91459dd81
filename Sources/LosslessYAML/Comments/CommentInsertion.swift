/// A piece of text that puts a comment of one document into another.
package struct CommentInsertion: Sendable {
    /// The offset at which the text is inserted.
    package let offset: Int
    /// The comment, with the blanks and line breaks around it.
    package internal(set) var text: [UInt8]
    /// Whether the comment belongs to what precedes the offset; if not, it belongs to what follows.
    package let isBehind: Bool
}

extension Document {
    /// Returns insertions that put another document's comments beside the same fields and items in this
    /// document.
    ///
    /// A comment about a field or item that this document lacks goes above what comes next. Parse the edited
    /// text to check it: a comment can end up where this document continues a block scalar.
    ///
    /// - Parameter comments: ranges in `source`, in the order of its text.
    /// - Returns: The insertions in the order of this text; those at the same offset are in the order of the
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

    /// Returns the text with those of another document's comments that it lacks.
    ///
    /// Each is beside what it is about, or all are at the top if they would change a value otherwise.
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
