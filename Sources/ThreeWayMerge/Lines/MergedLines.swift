/// Merges two versions of a text line by line, as `git merge-file` does.
///
/// Without conflicts, the result is the same as git's. A block has all lines of a conflict. In the style
/// ``ConflictStyle/merge``, lines that both sides begin or end with are outside the block.
package func mergeLines(
    base: [UInt8], local: [UInt8], remote: [UInt8], style: ConflictStyle
) -> MergedText {
    let merge = LineMerge(base: base, local: local, remote: remote)
    guard merge.hasConflict else { return .clean(merge.taking(.local)) }
    let pieces = merge.chunks.flatMap { chunk -> [ConflictedText.Piece] in
        switch chunk {
        case .taken(let side, let range):
            return [.text(Array(merge.lines[side][range].joined()))]
        case .conflict(let ranges):
            let block = ConflictedText.Block(
                local: Array(merge.lines.local[ranges.local].joined()),
                base: Array(merge.lines.base[ranges.base].joined()),
                remote: Array(merge.lines.remote[ranges.remote].joined()))
            guard style == .merge else { return [.block(block)] }
            let (before, rest, after) = block.withoutSharedLines
            return [.text(before), .block(rest), .text(after)]
        }
    }
    return .conflicted(ConflictedText(joining: pieces))
}
