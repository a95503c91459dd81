internal import ThreeWayMerge

extension ConflictedText {
    /// Returns the conflict with the bases that the file does not show, taken from the conflict as it was
    /// found: block by block where the sides are the same, or in order where there are as many blocks.
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
