extension ConflictedText {
    /// Returns the text with conflict markers around the blocks, with the text's own line endings.
    ///
    /// If the text's last line is in a block and has no line break, the line gets a line break and the last
    /// marker doesn't. ``read(_:)`` recognizes this.
    package func text(style: ConflictStyle, labels: MarkerLabels = MarkerLabels()) -> [UInt8] {
        let lineBreak = lineBreak
        var bytes: [UInt8] = []
        for (position, piece) in pieces.enumerated() {
            switch piece {
            case .text(let text):
                bytes += text
            case .block(let block):
                // If the sides were equal, nothing would be left between the markers, and a last line without
                // a line break would run into a marker.
                if style == .zdiff3, block.local != block.remote {
                    let (before, block, after) = block.withoutSharedLines
                    bytes += before
                    bytes += block.withMarkers(style, labels, lineBreak: lineBreak)
                    bytes += after
                } else {
                    bytes += block.withMarkers(style, labels, lineBreak: lineBreak)
                }
                let isLast = position == pieces.count - 1
                if isLast, block.lacksLastLineBreak { bytes = bytes.withoutLastLineBreak }
            }
        }
        return bytes
    }

    /// The first line break of the text, which the markers use, too.
    var lineBreak: [UInt8] {
        for piece in pieces {
            let texts =
                switch piece {
                case .text(let text): [text]
                case .block(let block): [block.local, block.remote, block.base ?? []]
                }
            for text in texts {
                guard let position = text.firstIndex(of: LineEnding.lf) else { continue }
                let hasReturn = position > 0 && text[position - 1] == LineEnding.cr
                return hasReturn ? LineEnding.carriageReturnLineFeed.bytes : LineEnding.lineFeed.bytes
            }
        }
        return LineEnding.lineFeed.bytes
    }
}

extension ConflictedText.Block {
    fileprivate var lacksLastLineBreak: Bool {
        let ends = [local, remote].filter { !$0.isEmpty }
        return !ends.isEmpty && ends.allSatisfy { !$0.endsWithWholeLine }
    }

    fileprivate func withMarkers(
        _ style: ConflictStyle, _ labels: MarkerLabels, lineBreak: [UInt8]
    ) -> [UInt8] {
        func wholeLines(_ lines: [UInt8]) -> [UInt8] { lines.endsWithWholeLine ? lines : lines + lineBreak }
        var bytes = ConflictMarker.local.line(labels) + lineBreak + wholeLines(local)
        if style != .merge, let base {
            bytes += ConflictMarker.base.line(labels) + lineBreak + wholeLines(base)
        }
        bytes += ConflictMarker.separator.line(labels) + lineBreak + wholeLines(remote)
        return bytes + ConflictMarker.remote.line(labels) + lineBreak
    }

    /// The lines that local and the remote both begin with, the block without shared lines, and the lines
    /// that both end with.
    var withoutSharedLines: (before: [UInt8], block: ConflictedText.Block, after: [UInt8]) {
        let localLines = lineRanges(local).map { local[$0] }
        let remoteLines = lineRanges(remote).map { remote[$0] }
        let most = min(localLines.count, remoteLines.count)
        var first = 0
        while first < most, localLines[first] == remoteLines[first] { first += 1 }
        var last = 0
        while last < most - first,
            localLines[localLines.count - 1 - last] == remoteLines[remoteLines.count - 1 - last]
        { last += 1 }
        let block = ConflictedText.Block(
            local: Array(localLines[first..<localLines.count - last].joined()), base: base,
            remote: Array(remoteLines[first..<remoteLines.count - last].joined()))
        return (
            Array(localLines[..<first].joined()), block,
            Array(localLines[(localLines.count - last)...].joined())
        )
    }
}
