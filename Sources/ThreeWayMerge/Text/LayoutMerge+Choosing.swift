extension LayoutMerge {
    /// Returns lines that only one side changed, or that both sides changed in the same way.
    ///
    /// Returns nil if the sides changed them differently, or if they differ and there is no base.
    func chooseChanged(_ lines: Versions<ArraySlice<UInt8>>) -> [UInt8]? {
        if lines.local == lines.remote || lines.remote == lines.base { return Array(lines.local) }
        return lines.local == lines.base ? Array(lines.remote) : nil
    }

    /// Merges comments and blank lines.
    ///
    /// Both versions are kept if both sides changed them, the local one first.
    func choose(_ lines: Versions<ArraySlice<UInt8>>) -> [UInt8] {
        if mode == .wholeEntries { return Array(lines.local) }
        if let chosen = chooseChanged(lines) { return chosen }
        guard let base = lines.base else { return joined(lines.local, lines.remote) }
        return LineMerge(base: Array(base), local: Array(lines.local), remote: Array(lines.remote)).takingBoth
    }

    /// Returns local's lines followed by the remote lines that local lacks.
    func joined(_ local: ArraySlice<UInt8>, _ remote: ArraySlice<UInt8>) -> [UInt8] {
        LineMerge(base: [], local: Array(local), remote: Array(remote)).takingBoth
    }

    func block(local: [UInt8], base: [UInt8]?, remote: [UInt8]) -> Piece {
        .block(ConflictedText.Block(local: local, base: hasBase ? base ?? [] : nil, remote: remote))
    }
}

extension LineMerge {
    /// The merged text, with both sides' changes to comments and blank lines.
    ///
    /// If both sides changed the same lines, the lines that either side added or both sides kept are
    /// included, local's first.
    fileprivate var takingBoth: [UInt8] {
        chunks.reduce(into: []) { bytes, chunk in
            switch chunk {
            case .taken(let side, let range): for line in lines[side][range] { bytes += line }
            case .conflict(let ranges):
                let (base, local, remote) = (
                    texts(.base, ranges), texts(.local, ranges), texts(.remote, ranges)
                )
                for (line, text) in zip(lines.local[ranges.local], local)
                where !text.isRemark || remote.contains(text) || !base.contains(text) { bytes += line }
                for (line, text) in zip(lines.remote[ranges.remote], remote)
                where text.isRemark && !local.contains(text) && !base.contains(text) { bytes += line }
            }
        }
    }

    /// Returns a side's lines without indentation and line breaks, for comparison.
    private func texts(_ side: Side, _ ranges: Sides<Range<Int>>) -> [ArraySlice<UInt8>] {
        lines[side][ranges[side]].map { line in
            line.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != LineEnding.cr && $0 != LineEnding.lf }
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether a line without indentation and line break is a comment or blank.
    fileprivate var isRemark: Bool { isEmpty || first == UInt8(ascii: "#") }
}
