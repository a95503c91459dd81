extension ConflictedText {
    /// Creates a text from pieces.
    ///
    /// Adjacent texts are joined, and empty texts are left out.
    package init(joining pieces: [Piece]) {
        var joined: [Piece] = []
        var text: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let bytes): text += bytes
            case .block:
                if !text.isEmpty { joined.append(.text(text)) }
                text = []
                joined.append(piece)
            }
        }
        if !text.isEmpty { joined.append(.text(text)) }
        self.init(pieces: joined)
    }

    /// The text without its last line break, in every version.
    var withoutLastLineBreak: ConflictedText {
        var text = self
        switch text.pieces.popLast() {
        case .text(let bytes)?: text.pieces.append(.text(bytes.withoutLastLineBreak))
        case .block(let block)?:
            text.pieces.append(
                .block(
                    Block(
                        local: block.local.withoutLastLineBreak, base: block.base?.withoutLastLineBreak,
                        remote: block.remote.withoutLastLineBreak)))
        case nil: break
        }
        return text
    }
}
