internal import ThreeWayMerge

extension ConflictedText {
    /// Returns the conflict with bases from the original conflict, where the file doesn't show them.
    ///
    /// Blocks correspond if their sides are equal, or else by their order if both texts have the same number
    /// of blocks.
    func completingBases(from original: ConflictedText?) -> ConflictedText {
        guard let original else { return self }
        let known = original.blocks
        var completed = self
        var number = 0
        for index in completed.pieces.indices {
            guard case .block(var block) = completed.pieces[index] else { continue }
            if block.base == nil {
                let same = known.first {
                    isSameText($0.local, block.local) && isSameText($0.remote, block.remote)
                }
                block.base = (same ?? (known.count == blocks.count ? known[number] : nil))?.base
                completed.pieces[index] = .block(block)
            }
            number += 1
        }
        return completed
    }
}
