/// The `|` or `>` of a block scalar, with its indicators.
struct BlockScalarHeader {
    enum Chomping { case clip, strip, keep }

    /// The range of the header's characters.
    let range: Range<Int>
    let chomping: Chomping
    /// The number of columns that the content is indented relative to its parent; nil if the header doesn't
    /// specify it.
    let indentationIndicator: Int?
    /// The offset of the line below the header.
    let contentStart: Int

    /// Reads the header of the block scalar that begins at an offset, possibly with an anchor or a tag.
    init(_ bytes: UnsafeBufferPointer<UInt8>, nodeStart: Int) {
        let start = NodeProperties(bytes, at: nodeStart).contentStart
        var end = start + 1
        var chomping = Chomping.clip
        var indicator: Int?
        while end < bytes.count {
            if bytes[end] == .hyphen {
                chomping = .strip
            } else if bytes[end] == UInt8(ascii: "+") {
                chomping = .keep
            } else if bytes[end].isDigit {
                indicator = Int(bytes[end] - UInt8(ascii: "0"))
            } else {
                break
            }
            end += 1
        }
        range = start..<end
        self.chomping = chomping
        indentationIndicator = indicator
        contentStart = bytes.startOfNextLine(from: end)
    }

    /// Returns the column that the content is indented to; nil if no line has any text.
    func contentIndentation(
        _ bytes: UnsafeBufferPointer<UInt8>, to end: Int, parentIndentation: Int
    ) -> Int? {
        if let indentationIndicator { return max(parentIndentation, 0) + indentationIndicator }
        var line = contentStart
        while line < end {
            var first = line
            while first < end, bytes[first] == .space { first += 1 }
            if first < end, !bytes[first].isLineBreak { return first - line }
            line = bytes.startOfNextLine(from: first)
        }
        return nil
    }

    /// Returns the end of the last line that is part of the value.
    ///
    /// libyaml reports only an upper limit, `scannedEnd`.
    func endOfContent(
        _ bytes: UnsafeBufferPointer<UInt8>, scannedTo scannedEnd: Int, parentIndentation: Int
    ) -> Int {
        if chomping == .keep { return scannedEnd }
        let indentation =
            contentIndentation(bytes, to: scannedEnd, parentIndentation: parentIndentation) ?? Int.max
        var end = scannedEnd
        while end > contentStart {
            var lineEnd = end
            if lineEnd > contentStart, bytes[lineEnd - 1] == .lineFeed { lineEnd -= 1 }
            if lineEnd > contentStart, bytes[lineEnd - 1] == .carriageReturn { lineEnd -= 1 }
            var lineStart = lineEnd
            while lineStart > contentStart, bytes[lineStart - 1] == .space { lineStart -= 1 }
            let isBlank = lineStart == contentStart || bytes[lineStart - 1].isLineBreak
            // Blanks beyond the indentation are content.
            guard isBlank, lineEnd - lineStart <= indentation else { break }
            end = lineStart
        }
        return end
    }
}
