extension Document {
    /// The ranges of the comments in ascending order, each from its `#` to the end of the line.
    package var comments: [Range<Int>] {
        bytes.withUnsafeBufferPointer { buffer in
            var finder = CommentFinder(buffer)
            if finder.isDone { return [] }
            finder.pass(root)
            return finder.finish()
        }
    }

    /// Returns a comment's text without trailing blanks, for comparison.
    package func comment(_ range: Range<Int>) -> ArraySlice<UInt8> {
        var comment = bytes[range]
        while comment.last?.isBlank == true { comment.removeLast() }
        return comment
    }
}

/// Finds the comments in a text: each `#` that isn't inside a scalar or another comment.
private struct CommentFinder {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The offsets of `#` characters that haven't been examined yet.
    private var marks: ArraySlice<Int>
    private var comments: [Range<Int>] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        marks = Self.marks(in: bytes)[...]
    }

    private static func marks(in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var marks: [Int] = []
        var position = 0
        while position < bytes.count {
            if let eight = EightBytes(bytes, at: position) {
                let matches = eight.matches(of: .hash)
                position += EightBytes.count(before: matches)
                if matches == 0 { continue }
            }
            if bytes[position] == .hash { marks.append(position) }
            position += 1
        }
        return marks
    }

    var isDone: Bool { marks.isEmpty }

    /// Skips a node's text.
    ///
    /// Most nodes have no `#` and are skipped at once.
    mutating func pass(_ node: Node) {
        guard let mark = marks.first, mark < node.range.upperBound else { return }
        switch node.shape {
        case .alias: break
        case .scalar: passScalar(node.range)
        case .sequence(_, let items): for item in items { pass(item.value) }
        case .mapping(_, let entries):
            for entry in entries {
                passScalar(entry.keyRange)
                pass(entry.value)
            }
        }
    }

    mutating func finish() -> [Range<Int>] {
        takeComments(before: bytes.count)
        return comments
    }

    private mutating func passScalar(_ range: Range<Int>) {
        guard let mark = marks.first, mark < range.upperBound else { return }
        var start = min(NodeProperties(bytes, at: range.lowerBound).contentStart, range.upperBound)
        if start < range.upperBound, bytes[start] == UInt8(ascii: "|") || bytes[start] == UInt8(ascii: ">") {
            // A comment can follow the header of a block scalar.
            start = BlockScalarHeader(bytes, nodeStart: range.lowerBound).contentStart
        }
        takeComments(before: start)
        marks = marks.drop { $0 < range.upperBound }
    }

    private mutating func takeComments(before end: Int) {
        while let mark = marks.first, mark < end {
            let lineEnd = bytes.endOfLineContent(from: mark)
            comments.append(mark..<lineEnd)
            marks = marks.drop { $0 < lineEnd }
        }
    }
}
