import LosslessYAML

/// Checks that a text has the expected values.
struct TextProof {
    let fields: MergedMapping
    let hasBase: Bool

    /// Parses each version of a text; returns nil unless each version has the expected fields and the text's
    /// markers are unambiguous.
    func prove(_ text: ConflictedText) -> ProvenText? {
        let blocks = text.blocks
        guard let local = read(text.taking(.local), as: fields.taking(.local)),
            fields.hasConflict != blocks.isEmpty
        else { return nil }
        if blocks.isEmpty { return ProvenText(text: text, local: local, remote: local) }
        guard let remote = read(text.taking(.remote), as: fields.taking(.remote)),
            !hasBase || read(text.taking(.base), as: fields.taking(.base)) != nil,
            !text.pieces.contains(where: \.hasMarkerLine),
            text.mixtures.allSatisfy({ isReadable($0) })
        else { return nil }
        return ProvenText(text: text, local: local, remote: remote)
    }

    /// Returns whether a text is a valid document, whatever its fields are.
    func isReadable(_ bytes: [UInt8]?) -> Bool {
        bytes.flatMap { try? Document(parsing: $0) } != nil
    }

    private func read(_ bytes: [UInt8]?, as fields: Mapping) -> Document? {
        guard let bytes, let document = try? Document(parsing: bytes) else { return nil }
        return document.fields == fields ? document : nil
    }
}

/// A text that has the expected values, with its parsed versions.
struct ProvenText {
    let text: ConflictedText
    let local: Document
    let remote: Document
}

extension ConflictedText {
    /// Versions of the text that take some blocks from local and the others from the remote.
    ///
    /// With few blocks, these are all combinations. With more blocks, any two come from different sides in at
    /// least two of the versions, once in each way.
    fileprivate var mixtures: [[UInt8]] {
        let count = blocks.count
        if count <= Self.mostTriedInAllWays {
            return (0..<1 << count).map { choice in
                taking { choice >> $0 & 1 == 0 ? .local : .remote }
            }
        }
        let digits = count.bitWidth - (count - 1).leadingZeroBitCount
        return (0..<digits).flatMap { digit in
            [Side.local, .remote].map { side in
                taking { number in number >> digit & 1 == 0 ? side : side == .local ? .remote : .local }
            }
        }
    }

    private static let mostTriedInAllWays = 4

    /// Returns the text with one side's lines for each block, chosen by the block's index.
    private func taking(_ side: (Int) -> Side) -> [UInt8] {
        var number = -1
        return pieces.flatMap { piece in
            switch piece {
            case .text(let lines): return lines
            case .block(let block):
                number += 1
                return block[side(number)] ?? []
            }
        }
    }
}

extension ConflictedText.Piece {
    /// Whether any of the piece's lines could be read as a marker.
    fileprivate var hasMarkerLine: Bool {
        let texts =
            switch self {
            case .text(let text): [text]
            case .block(let block): [block.local, block.base ?? [], block.remote]
            }
        return texts.contains(where: \.hasMarkerLine)
    }
}
