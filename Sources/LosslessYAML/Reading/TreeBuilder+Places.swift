/// Finds positions in the text that libyaml's events don't report.
extension TreeBuilder {
    /// Returns the offset after a node's anchor and tag, if the current event has any.
    func skipProperties(from start: Int) -> Int {
        let (hasAnchor, hasTag) = (events.anchor != nil, events.tag != nil)
        guard hasAnchor || hasTag else { return start }
        return NodeProperties(bytes, at: start, mayHaveAnchor: hasAnchor, mayHaveTag: hasTag).end
    }

    func skipComma(from position: Int) -> Int {
        let position = bytes.skipTrivia(from: position)
        return position < bytes.count && bytes[position] == .comma ? position + 1 : position
    }

    /// Returns the whole lines of a block entry, including the more deeply indented comment lines after it.
    func lines(of range: Range<Int>, deeperThan column: Int) -> Range<Int> {
        let start = bytes.startOfLine(at: range.lowerBound)
        let endsWithLineBreak = bytes[range.upperBound - 1].isLineBreak
        var end = endsWithLineBreak ? range.upperBound : bytes.startOfNextLine(from: range.upperBound)
        var line = end
        while line < bytes.count {
            let first = bytes.skipBlanks(from: line)
            guard first < bytes.count, bytes[first].isLineBreak || bytes[first] == .hash else { break }
            let next = bytes.startOfNextLine(from: first)
            if bytes[first] == .hash {
                guard first - line > column else { break }
                end = next
            }
            line = next
        }
        return start..<end
    }

    /// Limits the number of directives before the document, because libyaml compares each directive with all
    /// the others.
    func checkDirectives() throws(YAMLError) {
        var line = bytes.lengthOfByteOrderMark
        var count = 0
        while line < bytes.count {
            let first = bytes.skipBlanks(from: line)
            guard first < bytes.count else { return }
            if bytes[first] == UInt8(ascii: "%"), first == line {
                count += 1
                guard count <= Limits.directives else {
                    throw error(.syntax("too many directives"), at: line)
                }
            } else if !bytes[first].isLineBreak, bytes[first] != .hash {
                return
            }
            line = bytes.startOfNextLine(from: first)
        }
    }

    /// Checks that only comments and document end markers follow the document.
    ///
    /// Text after the first document is rejected without parsing it.
    func checkEnd(from end: Int) throws(YAMLError) {
        var position = bytes.skipTrivia(from: end)
        while bytes.hasDocumentEndMarker(at: position) { position = bytes.skipTrivia(from: position + 3) }
        guard position == bytes.count else { throw error(.severalDocuments, at: position) }
    }
}
