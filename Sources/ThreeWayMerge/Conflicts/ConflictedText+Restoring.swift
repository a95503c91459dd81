extension ConflictedText {
    /// Returns a text that was read from a file, with its blocks as they were before they were written.
    ///
    /// Each block gets its recorded base. The lines that ``ConflictStyle/zdiff3`` moved out of a block are in
    /// the block again, because the base has its own lines there. A block has no base if the user edited it
    /// so that its base isn't certain.
    ///
    /// - Parameter original: The text that was written.
    package func restoringBlocks(of original: ConflictedText) -> ConflictedText {
        let written = original.blocks
        if written.isEmpty { return self }
        let hasSameCount = written.count == blocks.count
        var restored = pieces
        var number = -1
        for index in pieces.indices {
            guard case .block(var block) = pieces[index] else { continue }
            number += 1
            let candidates = (hasSameCount ? [written[number]] : []) + written
            let before = index > 0 ? restored[index - 1].text : []
            let after = index + 1 < restored.count ? restored[index + 1].text : []
            let match = candidates.first {
                $0.agrees(with: block, on: [.local, .remote]) || $0.wasShortened(to: block, before, after)
            }
            if let match, match.agrees(with: block, on: [.local, .remote]) {
                block.base = match.base
            } else if let match {
                let shared = match.withoutSharedLines
                block = Block(
                    local: shared.before + block.local + shared.after, base: match.base,
                    remote: shared.before + block.remote + shared.after)
                if !shared.before.isEmpty {
                    restored[index - 1] = .text(Array(before.dropLast(shared.before.count)))
                }
                if !shared.after.isEmpty {
                    restored[index + 1] = .text(Array(after.dropFirst(shared.after.count)))
                }
            } else if hasSameCount, written[number].isRecognizable(in: block) {
                block.base = written[number].base
            } else {
                block.base = nil
            }
            restored[index] = .block(block)
        }
        return ConflictedText(joining: restored)
    }
}

extension ConflictedText.Piece {
    /// The text outside of blocks; empty for a block.
    fileprivate var text: [UInt8] { if case .text(let text) = self { text } else { [] } }
}

extension ConflictedText.Block {
    /// Returns whether some sides have the same lines in both blocks, except for line endings.
    fileprivate func agrees(with other: ConflictedText.Block, on sides: [Side]) -> Bool {
        sides.allSatisfy { side in
            self[side]?.converted(to: .lineFeed) == other[side]?.converted(to: .lineFeed)
        }
    }

    /// Returns whether a block in a file is this one without the lines that both sides share, which are
    /// around it in the file.
    ///
    /// The user might have edited one side.
    fileprivate func wasShortened(
        to block: ConflictedText.Block, _ before: [UInt8], _ after: [UInt8]
    ) -> Bool {
        let shared = withoutSharedLines
        return !(shared.before.isEmpty && shared.after.isEmpty)
            && before.suffix(shared.before.count) == shared.before[...]
            && after.starts(with: shared.after)
            && [Side.local, .remote].contains { shared.block.agrees(with: block, on: [$0]) }
    }

    /// Returns whether an edited block in a file has this block's base.
    fileprivate func isRecognizable(in block: ConflictedText.Block) -> Bool {
        let shared = withoutSharedLines
        return shared.before.isEmpty && shared.after.isEmpty
            || [Side.local, .remote].contains { agrees(with: block, on: [$0]) }
    }
}
