import LosslessYAML

/// Whether a text says what it should.
struct TextProof {
    let fields: MergedMapping
    let hasBase: Bool

    /// Up to so many blocks every one is tried with either side.
    private static let mostSingleChecks = 8

    /// Whether each version of the text, read, has the fields that this side should have, and blocks can be
    /// told from text.
    func holds(for text: ConflictedText) -> Bool {
        let blocks = text.blocks
        guard isRead(text.taking(.local), as: fields.taking(.local)), fields.hasConflict != blocks.isEmpty
        else {
            return false
        }
        if blocks.isEmpty { return true }
        guard isRead(text.taking(.remote), as: fields.taking(.remote)),
            !hasBase || isRead(text.taking(.base), as: fields.taking(.base)),
            !text.pieces.contains(where: \.hasMarkerLine)
        else { return false }
        guard blocks.count <= Self.mostSingleChecks else { return true }
        return text.mixtures.allSatisfy { isReadable($0) }
    }

    /// Whether a version of a text is a document of whatever fields.
    func isReadable(_ bytes: [UInt8]?) -> Bool {
        bytes.flatMap { try? Document(parsing: $0) } != nil
    }

    private func isRead(_ bytes: [UInt8]?, as fields: Mapping) -> Bool {
        guard let bytes, let document = try? Document(parsing: bytes) else { return false }
        return document.fields == fields
    }
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
        return texts.contains { text in
            do { return try ConflictedText.read(text) != nil } catch { return true }
        }
    }
}
