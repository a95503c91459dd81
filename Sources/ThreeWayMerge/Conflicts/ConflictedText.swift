import LosslessYAML

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

extension ConflictedText {
    /// Returns a conflict about the whole text of a todo that one side deleted, except its `id` line.
    ///
    /// The `id` line moves to the top of the text. The side that deleted the todo is nil.
    package static func whole(local: [UInt8]?, base: [UInt8]?, remote: [UInt8]?) -> ConflictedText {
        guard let model = local ?? remote ?? base else { return ConflictedText(pieces: []) }
        let conventions = TextConventions(of: model)
        let texts = Sides(base: base, local: local, remote: remote).map { bytes in
            bytes.map { TextAroundID($0, conventions) }
        }
        guard let first = texts.local ?? texts.remote ?? texts.base else { return ConflictedText(pieces: []) }
        let block = Block(
            local: texts.local?.rest ?? [], base: texts.base?.rest, remote: texts.remote?.rest ?? [])
        return conventions.restore([.text(first.head + first.id), .block(block)]) { _ in true }
    }
}

/// A todo's text without its `id` line.
private struct TextAroundID {
    /// The lines that must precede the `id` line: directives, `---`, and the anchor and tag of the mapping.
    var head: [UInt8] = []
    var id: [UInt8] = []
    var rest: [UInt8]

    init(_ bytes: [UInt8], _ conventions: TextConventions) {
        guard
            let document = (try? Document(parsing: bytes)).map({
                conventions.prepare($0).withoutMarkerLines()
            }),
            case .mapping(_, let entries) = document.root.shape,
            let entry = entries.first(where: { $0.key.isSameBytes(as: "id") })
        else {
            rest = bytes
            return
        }
        let lines = document.bytes
        let headEnd = Self.headEnd(of: document, entries)
        head = Array(lines[..<headEnd])
        id = Array(lines[entry.lines])
        // The id comes before the anchor that its alias refers to.
        if case .alias = entry.value.shape {
            id = emit([entry.key: entry.value.value]).converted(to: conventions.mergedEnding)
        }
        rest = Array(lines[headEnd..<entry.lines.lowerBound] + lines[entry.lines.upperBound...])
    }

    /// Returns the offset after the last `---` line and the lines with the root's anchor and tag; 0 if there
    /// are neither.
    private static func headEnd(of document: Document, _ entries: [Node.Entry]) -> Int {
        guard let first = entries.first else { return 0 }
        let start = first.lines.lowerBound
        let head = Array(document.bytes[..<start])
        return lineRanges(head).last { line in
            let isContent = ![UInt8(ascii: "#"), LineEnding.lf, LineEnding.cr].contains(
                head[line].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? LineEnding.lf)
            return isContent && line.upperBound > document.root.range.lowerBound
                || head[line].starts(with: "---".utf8)
        }?.upperBound ?? 0
    }
}
