import LosslessYAML

/// Whether a text says what it should.
struct TextProof {
    let fields: MergedMapping
    let hasBase: Bool

    /// Up to so many blocks every one is tried with either side.
    private static let mostSingleChecks = 8

    /// Reads each version of the text; nil unless it has the fields that this side should have, and blocks can
    /// be told from text.
    func prove(_ text: ConflictedText) -> ProvenText? {
        let blocks = text.blocks
        guard let local = read(text.taking(.local), as: fields.taking(.local)),
            fields.hasConflict != blocks.isEmpty
        else { return nil }
        if blocks.isEmpty { return ProvenText(text: text, local: local, remote: local) }
        guard let remote = read(text.taking(.remote), as: fields.taking(.remote)),
            !hasBase || read(text.taking(.base), as: fields.taking(.base)) != nil,
            !text.pieces.contains(where: \.hasMarkerLine),
            blocks.count > Self.mostSingleChecks || text.mixtures.allSatisfy({ isReadable($0) })
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
    /// The texts with one side's lines for one block, and the other's for all others.
    fileprivate var mixtures: [[UInt8]] {
        pieces.indices.flatMap { position -> [[UInt8]] in
            guard case .block(let block) = pieces[position] else { return [] }
            return [(Side.local, block.remote), (.remote, block.local)].compactMap { side, exception in
                var text = self
                text.pieces[position] = .text(exception)
                return text.taking(side)
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
