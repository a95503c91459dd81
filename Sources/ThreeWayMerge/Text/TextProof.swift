import LosslessYAML

/// Whether a text says what it should.
struct TextProof {
    let fields: MergedMapping
    let hasBase: Bool

    /// Reads each version of the text; nil unless it has the fields that this side should have, and blocks
    /// can be told from text.
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

    /// Whether a version of a text is a document of whatever fields.
    func isReadable(_ bytes: [UInt8]?) -> Bool {
        bytes.flatMap { try? Document(parsing: $0) } != nil
    }

    private func read(_ bytes: [UInt8]?, as fields: Mapping) -> Document? {
        guard let bytes, let document = try? Document(parsing: bytes) else { return nil }
        return document.fields == fields ? document : nil
    }
}

/// A text that says what it should, and its versions as read.
struct ProvenText {
    let text: ConflictedText
    let local: Document
    let remote: Document
}

extension ConflictedText {
    /// Texts with local's lines for some blocks and the remote's for the others.
    ///
    /// Of a few blocks these are all there are; of more, any two blocks are taken from different sides in two
    /// of the texts, one way and the other.
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

    /// The text with a side's lines for each block, by its number.
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
    /// Whether any of the piece's lines would be taken for a marker.
    fileprivate var hasMarkerLine: Bool {
        let texts =
            switch self {
            case .text(let text): [text]
            case .block(let block): [block.local, block.base ?? [], block.remote]
            }
        return texts.contains(where: \.hasMarkerLine)
    }
}
