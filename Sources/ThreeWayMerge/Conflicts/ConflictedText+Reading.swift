extension ConflictedText {
    /// Reads a text's conflict markers, ours and git's; returns nil if it has no marker line.
    ///
    /// A marker stands at the beginning of a line: seven characters, then the end of the line, or a space and
    /// any words.
    ///
    /// - Throws: ``MarkerError`` if the markers don't enclose conflicts.
    package static func read(_ bytes: [UInt8]) throws(MarkerError) -> ConflictedText? {
        guard mayHaveMarkers(bytes) else { return nil }
        var reader = MarkerReader()
        let hasMark = bytes.starts(with: TextConventions.byteOrderMark)
        for (number, range) in lineRanges(bytes).enumerated() {
            var range = range
            if number == 0, hasMark {
                // In an editor, the line begins after the byte order mark.
                range = TextConventions.byteOrderMark.count..<range.upperBound
                reader.takeByteOrderMark()
            }
            guard !range.isEmpty else { continue }
            var content = bytes[range]
            if content.last == LineEnding.lf { content.removeLast() }
            if content.last == LineEnding.cr { content.removeLast() }
            let line = Line(
                marker: ConflictMarker(line: content), bytes: bytes[range], number: number + 1,
                hasLineBreak: bytes[range.upperBound - 1] == LineEnding.lf)
            try reader.take(line)
        }
        return try reader.finish()
    }

    /// Returns whether any line begins with the first bytes of a marker; most files have none and need no
    /// further look.
    private static func mayHaveMarkers(_ bytes: [UInt8]) -> Bool {
        let starts = ConflictMarker.allCases.map(\.byte)
        return bytes.withUnsafeBufferPointer { bytes in
            var isLineStart = true
            let start =
                bytes.starts(with: TextConventions.byteOrderMark) ? TextConventions.byteOrderMark.count : 0
            for position in start..<bytes.count {
                let byte = bytes[position]
                if isLineStart, starts.contains(byte), position + ConflictMarker.length <= bytes.count,
                    bytes[position + ConflictMarker.length - 1] == byte
                {
                    return true
                }
                isLineStart = byte == LineEnding.lf
            }
            return false
        }
    }
}

private struct Line {
    var marker: ConflictMarker?
    var bytes: ArraySlice<UInt8>
    var number: Int
    var hasLineBreak: Bool
}

/// Collects lines into pieces, and refuses markers that are out of order.
private struct MarkerReader {
    private enum Place {
        case text
        case side(ConflictMarker, ConflictedText.Block, start: Int)
    }

    private var pieces: [ConflictedText.Piece] = []
    private var text: [UInt8] = []
    private var place = Place.text
    private var sawMarker = false

    mutating func takeByteOrderMark() {
        text += TextConventions.byteOrderMark
    }

    mutating func take(_ line: Line) throws(MarkerError) {
        guard let marker = line.marker else { return takeContent(line.bytes) }
        sawMarker = true
        switch (place, marker) {
        case (.text, .local):
            place = .side(.local, ConflictedText.Block(local: [], base: nil, remote: []), start: line.number)
        case (.text, _):
            throw MarkerError(reason: .outsideConflict, line: line.number)
        case (.side, .local):
            throw MarkerError(reason: .nested, line: line.number)
        case (.side(.local, var block, let start), .base):
            block.base = []
            place = .side(.base, block, start: start)
        case (.side(.local, let block, let start), .separator),
            (.side(.base, let block, let start), .separator):
            place = .side(.separator, block, start: start)
        case (.side(.separator, let block, _), .remote):
            end(block, hasLineBreak: line.hasLineBreak)
        case (.side, .remote):
            throw MarkerError(reason: .separatorMissing, line: line.number)
        case (.side, .base), (.side, .separator):
            throw MarkerError(reason: .repeated, line: line.number)
        }
    }

    func finish() throws(MarkerError) -> ConflictedText? {
        if case .side(_, _, let start) = place { throw MarkerError(reason: .unfinished, line: start) }
        guard sawMarker else { return nil }
        return ConflictedText(pieces: pieces + (text.isEmpty ? [] : [.text(text)]))
    }

    private mutating func takeContent(_ bytes: ArraySlice<UInt8>) {
        switch place {
        case .text:
            text += bytes
        case .side(let marker, var block, let start):
            place = .text  // Releases the block, so that appending doesn't copy it.
            switch marker {
            case .local: block.local += bytes
            case .base: block.base?.append(contentsOf: bytes)
            case .separator, .remote: block.remote += bytes
            }
            place = .side(marker, block, start: start)
        }
    }

    private mutating func end(_ block: ConflictedText.Block, hasLineBreak: Bool) {
        if !text.isEmpty { pieces.append(.text(text)) }
        text = []
        var block = block
        if !hasLineBreak, !block.endsInBlankLine {
            // A missing line break after the last marker stands for one missing after the block's last lines:
            // see `text(style:)`.
            block.local = block.local.withoutLastLineBreak
            block.base = block.base?.withoutLastLineBreak
            block.remote = block.remote.withoutLastLineBreak
        }
        pieces.append(.block(block))
        place = .text
    }
}

extension ConflictedText.Block {
    /// Whether a nonempty side, without its last line break, would be empty or still end with a line break.
    fileprivate var endsInBlankLine: Bool {
        [local, remote].contains { lines in
            let shortened = lines.withoutLastLineBreak
            return !lines.isEmpty && (shortened.endsWithWholeLine || shortened.last == LineEnding.cr)
        }
    }
}
