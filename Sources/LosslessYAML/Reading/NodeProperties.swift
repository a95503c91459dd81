/// The anchor and tag that precede a node's content.
struct NodeProperties {
    /// The bytes of `&name`; nil if there is no anchor.
    private(set) var anchor: Range<Int>?
    /// The offset after the last property, or the start of the content if there is no property.
    private(set) var end: Int
    /// The offset of the content, which comments can precede.
    private(set) var contentStart: Int

    /// Reads the properties of the node that begins at an offset.
    ///
    /// The properties of a block mapping look like the properties of its first key, which can follow them. To
    /// distinguish them, the caller specifies the properties that the node can have, and the offset that they
    /// must begin before.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, mayHaveAnchor: Bool = true,
        mayHaveTag: Bool = true,
        limit: Int = .max
    ) {
        end = start
        contentStart = start
        var hasTag = false
        while contentStart < min(bytes.count, limit) {
            let first = bytes[contentStart]
            if first == .ampersand, anchor == nil, mayHaveAnchor {
                end = contentStart + 1
                while end < bytes.count, bytes[end].isAnchorCharacter { end += 1 }
                anchor = contentStart..<end
            } else if first == .exclamationMark, !hasTag, mayHaveTag {
                hasTag = true
                end = contentStart + 1
                while end < bytes.count, !bytes[end].isBlank, !bytes[end].isLineBreak, !bytes[end].endsTag {
                    end += 1
                }
            } else {
                break
            }
            contentStart = bytes.skipTrivia(from: end)
        }
    }
}

extension UInt8 {
    /// Whether libyaml accepts the byte in an anchor's name.
    fileprivate var isAnchorCharacter: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self == .hyphen
            || self == UInt8(ascii: "_")
    }

    /// Whether the byte can't be part of a core tag, but can follow a core tag in flow style.
    fileprivate var endsTag: Bool {
        self == .closeBracket || self == .closeBrace || self == .openBracket || self == .openBrace
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether there is a `...` at an offset that begins a line.
    func hasDocumentEndMarker(at position: Int) -> Bool {
        let dot = UInt8(ascii: ".")
        guard position + 3 <= count, self[position] == dot, self[position + 1] == dot,
            self[position + 2] == dot
        else { return false }
        let isLineStart = position == lengthOfByteOrderMark || self[position - 1].isLineBreak
        return isLineStart
            && (position + 3 == count || self[position + 3].isBlank || self[position + 3].isLineBreak)
    }
}

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
