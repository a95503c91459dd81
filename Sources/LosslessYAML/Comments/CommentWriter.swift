/// Writes comments into a text, and keeps them separate from other comments and values.
struct CommentWriter {
    let bytes: UnsafeBufferPointer<UInt8>
    private let lineBreak: [UInt8]
    private var insertions: [CommentInsertion] = []
    /// The columns of comments added to lines, by the offset after the line's last value.
    private var commentedLines: [Int: Int] = [:]

    init(_ bytes: UnsafeBufferPointer<UInt8>, lineBreak: [UInt8]) {
        self.bytes = bytes
        self.lineBreak = lineBreak
    }

    /// The insertions by ascending offset.
    var sortedInsertions: [CommentInsertion] {
        insertions.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element)
    }

    /// Puts a comment on its own line above the line at an offset, with the same indentation.
    mutating func putAbove(_ comment: [UInt8], lineOf place: Int) {
        let line = bytes.startOfLine(at: place)
        putOnNewLine(comment, indentation: bytes.skipBlanks(from: line) - line, at: line, isBehind: false)
    }

    /// Puts a comment on its own line at the end of the text.
    mutating func putAtEnd(_ comment: [UInt8]) {
        putOnNewLine(comment, indentation: 0, at: bytes.count, isBehind: false)
    }

    /// Puts a comment on its own line, at the start of a line or at the end of the text.
    mutating func putOnNewLine(_ comment: [UInt8], indentation: Int, at place: Int, isBehind: Bool) {
        let line = spaces(indentation) + comment
        let isWholeLine = place == 0 || bytes[place - 1].isLineBreak || place == bytes.lengthOfByteOrderMark
        put(isWholeLine ? line + lineBreak : lineBreak + line, at: place, isBehind: isBehind)
    }

    /// Puts a comment on its own line inside brackets, and breaks the line there if necessary.
    mutating func putInside(_ comment: [UInt8], before place: Int, indentation: Int) {
        let line = bytes.startOfLine(at: place)
        if bytes.skipBlanks(from: line) >= place {
            let isClosing = bytes[place] == .closeBracket || bytes[place] == .closeBrace
            let column = isClosing ? max(indentation, place - line) : place - line
            return putOnNewLine(comment, indentation: column, at: line, isBehind: false)
        }
        var start = place
        while start > line, bytes[start - 1].isBlank { start -= 1 }
        let end = lineBreak + spaces(indentation - (place - start))
        if let last = insertions.last, last.offset == start, !last.isBehind {
            insertions[insertions.count - 1].text = last.text.dropLast(end.count) + lineBreak
            insertions[insertions.count - 1].text += spaces(indentation) + comment + end
        } else {
            put(lineBreak + spaces(indentation) + comment + end, at: start, isBehind: false)
        }
    }

    /// Puts a comment after the `:` or `-` of a block collection; returns false if other text follows on that
    /// line.
    mutating func putBehindHead(_ comment: [UInt8], of child: CommentedChild) -> Bool {
        let next = bytes.skipBlanks(from: child.headEnd)
        let isFree = next == bytes.count || bytes[next].isLineBreak || bytes[next] == .hash
        return isFree && putBehind(comment, at: child.headEnd, flowIndentation: nil)
    }

    /// Puts a comment after the header of a block scalar; returns false if the header already has one.
    mutating func putBehindHeader(_ comment: [UInt8], at place: Int) -> Bool {
        let next = bytes.skipBlanks(from: place)
        guard next == bytes.count || bytes[next].isLineBreak, commentedLines[place] == nil else {
            return false
        }
        return putBehind(comment, at: place, flowIndentation: nil)
    }

    /// Puts a comment at the end of a value's line, or below the comment that is already there.
    ///
    /// - Parameter flowIndentation: The column for the rest of the line if the line has to be broken; nil
    ///   outside brackets, where that isn't possible.
    @discardableResult
    mutating func putBehind(_ comment: [UInt8], at valueEnd: Int, flowIndentation: Int?) -> Bool {
        var place = valueEnd
        if flowIndentation != nil {
            let comma = bytes.skipBlanks(from: place)
            if comma < bytes.count, bytes[comma] == .comma { place = comma + 1 }
        }
        let next = bytes.skipBlanks(from: place)
        let isLineEnd = next == bytes.count || bytes[next].isLineBreak
        if let column = commentedLines[place] ?? (isLineEnd || bytes[next] != .hash ? nil : self.column(next))
        {
            guard isLineEnd || bytes[next] == .hash else { return false }
            putOnNewLine(comment, indentation: column, at: bytes.startOfNextLine(from: next), isBehind: true)
            return true
        }
        if isLineEnd {
            put([.space] + comment, at: place, isBehind: true)
        } else if let flowIndentation {
            let rest = lineBreak + spaces(flowIndentation - (next - place))
            put([.space] + comment + rest, at: place, isBehind: true)
        } else {
            return false
        }
        commentedLines[place] = column(place) + 1
        return true
    }

    private func column(_ place: Int) -> Int { place - bytes.startOfLine(at: place) }

    private func spaces(_ count: Int) -> [UInt8] { [UInt8](repeating: .space, count: max(0, count)) }

    private mutating func put(_ text: [UInt8], at place: Int, isBehind: Bool) {
        insertions.append(CommentInsertion(offset: place, text: text, isBehind: isBehind))
    }
}
