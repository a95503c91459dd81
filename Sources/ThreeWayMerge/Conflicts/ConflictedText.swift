/// A text that can have more than one version of some lines.
package struct ConflictedText: Sendable, Hashable {
    /// A part of the text.
    package enum Piece: Sendable, Hashable {
        /// Text that all versions share.
        case text([UInt8])
        /// Lines that differ between the sides.
        case block(Block)
    }

    /// The versions of a block; each has whole lines.
    ///
    /// Only the last line of the text can lack a line break.
    package struct Block: Sendable, Hashable {
        /// The local lines; empty if they were deleted locally.
        package var local: [UInt8]
        /// The base's lines; nil if there is no base.
        package var base: [UInt8]?
        /// The remote lines; empty if the remote deleted them.
        package var remote: [UInt8]

        /// Creates a block of whole lines.
        package init(local: [UInt8], base: [UInt8]?, remote: [UInt8]) {
            self.local = local
            self.base = base
            self.remote = remote
        }

        /// Returns a side's lines; nil if the side is the base and there isn't one.
        package subscript(side: Side) -> [UInt8]? {
            switch side {
            case .base: base
            case .local: local
            case .remote: remote
            }
        }
    }

    /// The text's pieces, in order.
    package var pieces: [Piece]

    /// Creates a text from pieces, in order.
    package init(pieces: [Piece]) {
        self.pieces = pieces
    }

    /// The blocks, in the order of the text.
    package var blocks: [Block] {
        pieces.compactMap { if case .block(let block) = $0 { block } else { nil } }
    }

    /// Returns the text with every block replaced by one side's lines; nil if the side is the base and a
    /// block has no base.
    package func taking(_ side: Side) -> [UInt8]? {
        var bytes: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let text): bytes += text
            case .block(let block):
                guard let lines = block[side] else { return nil }
                bytes += lines
            }
        }
        return bytes
    }
}
