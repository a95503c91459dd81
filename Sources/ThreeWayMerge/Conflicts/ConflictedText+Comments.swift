extension ConflictedText {
    /// Returns the text with comments above entries that one side removed outside of the entries' blocks, if
    /// that side kept the comments.
    ///
    /// Otherwise, the other side would have these comments twice: in the block and below it.
    ///
    /// - Parameter texts: Each side's own text. Comments that it repeats stay where they are.
    func sharingComments(of texts: Sides<[UInt8]>) -> ConflictedText {
        var shared: [Piece] = []
        var rest = pieces[...]
        while let piece = rest.popFirst() {
            guard case .block(var block) = piece, block.local.isEmpty != block.remote.isEmpty,
                case .text(let below)? = rest.first
            else {
                shared.append(piece)
                continue
            }
            let side: Side = block.local.isEmpty ? .remote : .local
            let lines = block.local + block.remote
            let comments = lines.comments(alsoIn: below)
            if !comments.isEmpty, texts[side].hasOnce(comments) {
                shared.append(.text(comments))
                block.local = Array(block.local.dropFirst(comments.count))
                block.remote = Array(block.remote.dropFirst(comments.count))
                if let base = block.base, base.starts(with: comments) {
                    block.base = Array(base.dropFirst(comments.count))
                }
                rest[rest.startIndex] = .text(Array(below.dropFirst(comments.count)))
            }
            shared.append(.block(block))
        }
        return ConflictedText(joining: shared)
    }
}

extension [UInt8] {
    /// Returns the comment lines that both this text and another one begin with.
    fileprivate func comments(alsoIn other: [UInt8]) -> [UInt8] {
        let shared = zip(lineRanges(self), lineRanges(other)).prefix { own, others in
            self[own] == other[others] && self[own].first { $0 != UInt8(ascii: " ") } == UInt8(ascii: "#")
        }
        return Array(prefix(shared.last?.0.upperBound ?? 0))
    }

    /// Returns whether each of some lines occurs exactly once in the text.
    fileprivate func hasOnce(_ lines: [UInt8]) -> Bool {
        let own = lineRanges(self).map { self[$0] }
        return lineRanges(lines).allSatisfy { line in own.count { $0 == lines[line] } == 1 }
    }
}
