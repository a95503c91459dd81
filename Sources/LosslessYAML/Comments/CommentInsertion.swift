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
                var transfer = CommentTransfer(source: sourceBytes, writer: writer)
                transfer.insert(comments, from: source.root, to: root)
                return transfer.writer.sortedInsertions
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

/// Finds the fields and items that the comments of one document are about, and writes the comments next to
/// the corresponding fields and items in another document.
///
/// It walks both trees side by side as far as they have the same fields and items.
private struct CommentTransfer {
    let source: UnsafeBufferPointer<UInt8>
    var writer: CommentWriter

    /// A collection in the source, with its counterpart in the target.
    private struct Pair {
        var source: CommentedCollection
        var target: CommentedCollection
        /// The column of new lines inside brackets.
        var flowIndentation: Int
        /// The offset after the target's lines; nil for the document's root mapping, which ends with the
        /// text.
        var targetEnd: Int?
    }

    mutating func insert(_ comments: [Range<Int>], from sourceRoot: Node, to targetRoot: Node) {
        guard let collection = CommentedCollection(sourceRoot, source),
            let target = CommentedCollection(targetRoot, writer.bytes)
        else { return }
        let pair = Pair(source: collection, target: target, flowIndentation: 2, targetEnd: nil)
        let start = collection.isFlow ? sourceRoot.range.lowerBound : collection.children.first?.start ?? 0
        let end = collection.isFlow ? sourceRoot.range.upperBound : Int.max
        let inside = comments.filter { $0.lowerBound >= start && $0.lowerBound < end }
        for comment in comments where comment.lowerBound < start {
            if target.isFlow {
                writer.putAbove(text(comment), lineOf: targetRoot.range.lowerBound)
            } else {
                insertAboveNext(comment, from: 0, pair, pair.source.matches(in: target))
            }
        }
        insert(inside[...], pair)
        for comment in comments where comment.lowerBound >= end {
            if target.isFlow, isBehindText(comment) {
                writer.putBehind(text(comment), at: targetRoot.range.upperBound, flowIndentation: nil)
            } else {
                writer.putAtEnd(text(comment))
            }
        }
    }

    private func text(_ comment: Range<Int>) -> [UInt8] { Array(source[comment]) }

    /// Returns whether other text precedes the comment on its line.
    private func isBehindText(_ comment: Range<Int>) -> Bool {
        source.skipBlanks(from: source.startOfLine(at: comment.lowerBound)) < comment.lowerBound
    }

    /// Inserts the comments into a collection.
    private mutating func insert(_ comments: ArraySlice<Range<Int>>, _ pair: Pair) {
        let matches = pair.source.matches(in: pair.target)
        let children = pair.source.children
        var comments = comments
        var index = 0
        while let comment = comments.first {
            while index < children.count, children[index].end <= comment.lowerBound { index += 1 }
            if index < children.count, children[index].start < comment.lowerBound {
                let end = children[index].end
                let inside = comments.prefix { $0.lowerBound < end }
                comments = comments.dropFirst(inside.count)
                if let match = matches[index] {
                    insert(inside, in: children[index], to: pair.target.children[match], pair)
                } else {
                    for comment in inside { insertAboveNext(comment, from: index + 1, pair, matches) }
                }
                continue
            }
            comments.removeFirst()
            if pair.source.isFlow, index > 0, isBehindText(comment),
                !source[children[index - 1].end..<comment.lowerBound].contains(where: \.isLineBreak),
                let match = matches[index - 1]
            {
                insertBehind(comment, pair.target.children[match], pair)
            } else {
                insertAboveNext(comment, from: index, pair, matches)
            }
        }
    }

    /// Inserts an entry's or item's comments into its counterpart in the target.
    private mutating func insert(
        _ comments: ArraySlice<Range<Int>>, in child: CommentedChild, to target: CommentedChild, _ pair: Pair
    ) {
        let collection = CommentedCollection(child.node, source)
        let targetCollection = CommentedCollection(target.node, writer.bytes)
        var inside: [Range<Int>] = []
        for comment in comments {
            let isHead =
                comment.lowerBound < (collection?.children.first?.start ?? child.node.range.lowerBound)
            if let collection,
                collection.isFlow
                    ? collection.range.contains(comment.lowerBound) : !(isHead && isBehindText(comment))
            {
                if targetCollection == nil {
                    insertAbove(comment, target, pair)
                } else {
                    inside.append(comment)
                }
            } else if !isBehindText(comment) {
                if isHead {
                    insertAbove(comment, target, pair)
                } else {
                    writer.putOnNewLine(
                        text(comment), indentation: target.indentation + 2, at: target.end, isBehind: true)
                }
            } else if isHead, !target.isBlockScalar {
                if !writer.putBehindHead(text(comment), of: target) { insertBehind(comment, target, pair) }
            } else {
                insertBehind(comment, target, pair)
            }
        }
        guard let collection, let targetCollection, !inside.isEmpty else { return }
        insert(
            inside[...],
            Pair(
                source: collection, target: targetCollection,
                flowIndentation: pair.target.isFlow ? pair.flowIndentation : target.indentation + 2,
                targetEnd: target.end))
    }

    /// Puts a comment at the end of the line that a value ends on, or after the header of a block scalar.
    private mutating func insertBehind(_ comment: Range<Int>, _ target: CommentedChild, _ pair: Pair) {
        let isDone: Bool
        if target.isBlockScalar {
            let header = BlockScalarHeader(writer.bytes, nodeStart: target.node.range.lowerBound)
            isDone = writer.putBehindHeader(text(comment), at: header.range.upperBound)
        } else if case .mapping(.block, _) = target.node.shape {
            isDone = writer.putBehindHead(text(comment), of: target)
        } else if case .sequence(.block, _) = target.node.shape {
            isDone = writer.putBehindHead(text(comment), of: target)
        } else {
            let end = max(target.headEnd, target.node.range.upperBound)
            isDone = writer.putBehind(
                text(comment), at: end, flowIndentation: pair.target.isFlow ? pair.flowIndentation : nil)
        }
        if !isDone { insertAbove(comment, target, pair) }
    }

    private mutating func insertAbove(_ comment: Range<Int>, _ target: CommentedChild, _ pair: Pair) {
        if pair.target.isFlow {
            writer.putInside(text(comment), before: target.start, indentation: pair.flowIndentation)
        } else {
            writer.putAbove(text(comment), lineOf: target.start)
        }
    }

    /// Puts a comment above the next child that is also in the target, or at the end of the collection.
    private mutating func insertAboveNext(
        _ comment: Range<Int>, from index: Int, _ pair: Pair, _ matches: [Int?]
    ) {
        if let next = matches[index...].lazy.compactMap({ $0 }).first {
            insertAbove(comment, pair.target.children[next], pair)
        } else if pair.target.isFlow, pair.source.isFlow || pair.targetEnd != nil {
            writer.putInside(
                text(comment), before: pair.target.range.upperBound - 1, indentation: pair.flowIndentation)
        } else if let end = pair.targetEnd {
            let indentation = pair.target.children.last?.indentation ?? 0
            writer.putOnNewLine(text(comment), indentation: indentation, at: end, isBehind: true)
        } else {
            writer.putAtEnd(text(comment))
        }
    }
}
