/// A piece of text that puts a comment of one document into another.
package struct CommentInsertion: Sendable {
    /// Where it is inserted.
    package let offset: Int
    /// The comment, with the blanks and line breaks around it.
    package internal(set) var text: [UInt8]
    /// Whether it belongs to what stands before the place; if not, to what follows.
    package let isBehind: Bool
}

extension Document {
    /// Returns insertions that put comments of another document beside the fields and items of this one that
    /// they are about there.
    ///
    /// A comment about what this document lacks goes above what comes next. Read the text again before you
    /// believe it: a comment can stand where this one goes on with a block scalar.
    ///
    /// - Parameter comments: Places in `source`, in the order of its text.
    /// - Returns: The insertions in the order of this text; those at one place in the order of the comments.
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

    /// Returns the text with the comments of another document that it lacks, each beside what it is about, or
    /// all at the top where they would change a value.
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
