extension LayoutMerge {
    /// What only one side changed, or both alike; nil if both did, each in another way, or there is no base.
    func chooseChanged(_ lines: Versions<ArraySlice<UInt8>>) -> [UInt8]? {
        if lines.local == lines.remote || lines.remote == lines.base { return Array(lines.local) }
        return lines.local == lines.base ? Array(lines.remote) : nil
    }

    /// Merges comments and blank lines; where both sides changed them, local's stay.
    func choose(_ lines: Versions<ArraySlice<UInt8>>) -> [UInt8] {
        if mode == .wholeEntries { return Array(lines.local) }
        if let chosen = chooseChanged(lines) { return chosen }
        guard let base = lines.base else { return Array(lines.local) }
        return LineMerge(base: Array(base), local: Array(lines.local), remote: Array(lines.remote)).taking(
            .local)
    }

    func joined(_ local: ArraySlice<UInt8>, _ remote: ArraySlice<UInt8>) -> [UInt8] {
        local == remote ? Array(local) : Array(local + remote)
    }

    func block(local: [UInt8], base: [UInt8]?, remote: [UInt8]) -> Piece {
        .block(ConflictedText.Block(local: local, base: hasBase ? base ?? [] : nil, remote: remote))
    }
}
