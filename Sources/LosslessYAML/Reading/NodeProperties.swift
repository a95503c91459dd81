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
