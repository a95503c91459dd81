extension ConflictedText {
    /// The lines and blocks that differ between two texts.
    package struct Difference: Sendable, Hashable {
        let old: [Piece]
        let new: [Piece]

        /// The lines that replace a block, or several blocks with everything between them.
        ///
        /// Nil if the difference includes text before or after the blocks, or if the new lines still have a
        /// block.
        package var answer: [UInt8]? {
            guard case .block? = old.first, case .block? = old.last else { return nil }
            return ConflictedText(pieces: new).withoutBlocks
        }
    }

    /// Returns the range that differs between this text and another text, from the first differing line or
    /// block to the last.
    ///
    /// Returns nil if the texts are equal.
    package func difference(from other: ConflictedText) -> Difference? {
        let (new, old) = (lines, other.lines)
        let most = min(new.count, old.count)
        var first = 0
        while first < most, new[first] == old[first] { first += 1 }
        var last = 0
        while last < most - first, new[new.count - 1 - last] == old[old.count - 1 - last] { last += 1 }
        if first == old.count, first == new.count { return nil }
        return Difference(
            old: Array(old[first..<old.count - last]), new: Array(new[first..<new.count - last]))
    }

    /// Returns the text with a difference's old lines replaced by its new lines.
    ///
    /// Returns nil unless the text has the old lines exactly once.
    package func applying(_ difference: Difference) -> ConflictedText? {
        let lines = lines
        let positions = lines.indices.filter { lines[$0...].starts(with: difference.old, by: Self.areAlike) }
        guard !difference.old.isEmpty, let position = positions.first, positions.count == 1 else {
            return nil
        }
        let behind = lines[(position + difference.old.count)...]
        return ConflictedText(joining: lines[..<position] + difference.new + behind)
    }

    /// Returns the number of pieces that a difference's old lines and blocks cover, beginning at a block.
    ///
    /// Returns nil if the pieces there are different.
    package func count(of difference: Difference, at position: Int) -> Int? {
        guard case .block? = difference.old.first, case .block? = difference.old.last else { return nil }
        var pieces = pieces[position...]
        var rest = difference.old[...]
        while !rest.isEmpty {
            guard let piece = pieces.popFirst() else { return nil }
            let lines = ConflictedText(pieces: [piece]).lines
            guard rest.starts(with: lines, by: Self.areAlike) else { return nil }
            rest = rest.dropFirst(lines.count)
        }
        return pieces.startIndex - position
    }

    private var withoutBlocks: [UInt8]? { blocks.isEmpty ? taking(.local) : nil }

    /// The pieces, with a separate piece for each line of text.
    private var lines: [Piece] {
        pieces.flatMap { piece in
            guard case .text(let text) = piece else { return [piece] }
            return lineRanges(text).map { .text(Array(text[$0])) }
        }
    }

    /// Returns whether two pieces are equal, regardless of the blocks' bases.
    private static func areAlike(_ left: Piece, _ right: Piece) -> Bool {
        guard case .block(let left) = left, case .block(let right) = right else { return left == right }
        return left.local == right.local && left.remote == right.remote
    }
}
