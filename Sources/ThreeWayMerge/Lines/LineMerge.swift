/// The merge of two versions of a text, line by line.
///
/// Without a conflict, the result is the same as that of `git merge-file`. Lines that both sides changed, or
/// that touch such lines, conflict unless both sides have the same lines.
struct LineMerge {
    let chunks: [SequenceMerge.Chunk]
    /// The lines of the three texts, with their line breaks.
    let lines: Sides<[ArraySlice<UInt8>]>

    var hasConflict: Bool { chunks.contains { if case .conflict = $0 { true } else { false } } }

    /// Returns the merged text, with one side's lines for each conflict.
    func taking(_ side: Side) -> [UInt8] {
        var bytes: [UInt8] = []
        for chunk in chunks {
            switch chunk {
            case .taken(let taken, let range): for line in lines[taken][range] { bytes += line }
            case .conflict(let ranges): for line in lines[side][ranges[side]] { bytes += line }
            }
        }
        return bytes
    }

    init(base: [UInt8], local: [UInt8], remote: [UInt8]) {
        var table = LineTable()
        let numbers = Sides(
            base: table.numbers(of: base), local: table.numbers(of: local), remote: table.numbers(of: remote))
        lines = Sides(
            base: lineRanges(base).map { base[$0] }, local: lineRanges(local).map { local[$0] },
            remote: lineRanges(remote).map { remote[$0] })
        chunks = SequenceMerge(numbers).chunks
    }
}
