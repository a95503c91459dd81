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
    mutating func putAbove(_ comment: [UInt8], lineOf position: Int) {
        let line = bytes.startOfLine(at: position)
        putOnNewLine(comment, indentation: bytes.skipBlanks(from: line) - line, at: line, isBehind: false)
    }

    /// Puts a comment on its own line at the end of the text.
    mutating func putAtEnd(_ comment: [UInt8]) {
        putOnNewLine(comment, indentation: 0, at: bytes.count, isBehind: false)
    }

    /// Puts a comment on its own line, at the start of a line or at the end of the text.
    mutating func putOnNewLine(_ comment: [UInt8], indentation: Int, at position: Int, isBehind: Bool) {
        let line = spaces(indentation) + comment
        let isWholeLine =
            position == 0 || bytes[position - 1].isLineBreak || position == bytes.lengthOfByteOrderMark
        put(isWholeLine ? line + lineBreak : lineBreak + line, at: position, isBehind: isBehind)
    }

    /// Puts a comment on its own line inside brackets, and breaks the line there if necessary.
    mutating func putInside(_ comment: [UInt8], before position: Int, indentation: Int) {
        let line = bytes.startOfLine(at: position)
        if bytes.skipBlanks(from: line) >= position {
            let isClosing = bytes[position] == .closeBracket || bytes[position] == .closeBrace
            let column = isClosing ? max(indentation, position - line) : position - line
            return putOnNewLine(comment, indentation: column, at: line, isBehind: false)
        }
        var start = position
        while start > line, bytes[start - 1].isBlank { start -= 1 }
        let end = lineBreak + spaces(indentation - (position - start))
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
    mutating func putBehindHeader(_ comment: [UInt8], at position: Int) -> Bool {
        let next = bytes.skipBlanks(from: position)
        guard next == bytes.count || bytes[next].isLineBreak, commentedLines[position] == nil else {
            return false
        }
        return putBehind(comment, at: position, flowIndentation: nil)
    }

    /// Puts a comment at the end of a value's line, or below the comment that is already there.
    ///
    /// - Parameter flowIndentation: The column for the rest of the line if the line has to be broken; nil
    ///   outside brackets, where that isn't possible.
    @discardableResult
    mutating func putBehind(_ comment: [UInt8], at valueEnd: Int, flowIndentation: Int?) -> Bool {
        var position = valueEnd
        if flowIndentation != nil {
            let comma = bytes.skipBlanks(from: position)
            if comma < bytes.count, bytes[comma] == .comma { position = comma + 1 }
        }
        let next = bytes.skipBlanks(from: position)
        let isLineEnd = next == bytes.count || bytes[next].isLineBreak
        if let column = commentedLines[position]
            ?? (isLineEnd || bytes[next] != .hash ? nil : self.column(next))
        {
            guard isLineEnd || bytes[next] == .hash else { return false }
            putOnNewLine(comment, indentation: column, at: bytes.startOfNextLine(from: next), isBehind: true)
            return true
        }
        if isLineEnd {
            put([.space] + comment, at: position, isBehind: true)
        } else if let flowIndentation {
            let rest = lineBreak + spaces(flowIndentation - (next - position))
            put([.space] + comment + rest, at: position, isBehind: true)
        } else {
            return false
        }
        commentedLines[position] = column(position) + 1
        return true
    }

    private func column(_ position: Int) -> Int { position - bytes.startOfLine(at: position) }

    private func spaces(_ count: Int) -> [UInt8] { [UInt8](repeating: .space, count: max(0, count)) }

    private mutating func put(_ text: [UInt8], at position: Int, isBehind: Bool) {
        insertions.append(CommentInsertion(offset: position, text: text, isBehind: isBehind))
    }
}

/// An entry of a mapping or an item of a sequence, with the offsets for placing comments.
struct CommentedChild {
    /// The entry's key; nil for an item.
    let key: String?
    /// The offset of the key, the `?` or the `-`.
    ///
    /// In flow style, the offset of the first byte.
    let start: Int
    /// The offset after the `:` or `-`.
    let headEnd: Int
    /// The offset after the last line.
    ///
    /// In flow style, the offset after the last byte.
    let end: Int
    let indentation: Int
    let node: Node

    init(_ entry: Node.Entry, isFlow: Bool, _ bytes: UnsafeBufferPointer<UInt8>) {
        key = entry.key
        start = entry.lines.lowerBound + entry.indentation
        headEnd =
            bytes.endOfColon(afterKey: entry.keyRange.upperBound, inFlow: isFlow) ?? entry.keyRange.upperBound
        end = entry.lines.upperBound
        indentation = entry.indentation
        node = entry.value
    }

    init(_ item: Node.Item, isFlow: Bool) {
        key = nil
        start = item.lines.lowerBound + item.indentation
        headEnd = isFlow ? start : start + 1
        end = item.lines.upperBound
        indentation = item.indentation
        node = item.value
    }

    var isBlockScalar: Bool { node.scalarStyle == .literal || node.scalarStyle == .folded }
}

/// A mapping or a sequence, with the offsets for placing comments.
struct CommentedCollection {
    let children: [CommentedChild]
    let isFlow: Bool
    let isMapping: Bool
    let range: Range<Int>

    init?(_ node: Node, _ bytes: UnsafeBufferPointer<UInt8>) {
        range = node.range
        switch node.shape {
        case .scalar, .alias: return nil
        case .sequence(let style, let items):
            isFlow = style == .flow
            isMapping = false
            let isFlow = isFlow
            children = items.map { CommentedChild($0, isFlow: isFlow) }
        case .mapping(let style, let entries):
            isFlow = style == .flow
            isMapping = true
            let isFlow = isFlow
            children = entries.map { CommentedChild($0, isFlow: isFlow, bytes) }
        }
    }

    /// Returns the index of each child's counterpart in another collection; nil for a child without one.
    func matches(in other: CommentedCollection) -> [Int?] {
        isMapping ? matchesByKey(in: other) : matchesByValue(in: other)
    }

    private func matchesByKey(in other: CommentedCollection) -> [Int?] {
        var indices: [ByteKey: Int] = [:]
        for (index, child) in other.children.enumerated() { indices[ByteKey(child.key ?? "")] = index }
        return children.map { indices[ByteKey($0.key ?? "")] }
    }

    /// Matches equal items first, then items with the same name, and then changed collections that follow
    /// matched items.
    private func matchesByValue(in other: CommentedCollection) -> [Int?] {
        var matches = [Int?](repeating: nil, count: children.count)
        var isTaken = [Bool](repeating: false, count: other.children.count)
        func match(by property: (Node) -> Value?) {
            var free: [Value: [Int]] = [:]
            for index in other.children.indices.reversed() where !isTaken[index] {
                if let value = property(other.children[index].node) { free[value, default: []].append(index) }
            }
            for index in children.indices where matches[index] == nil {
                guard let value = property(children[index].node), let position = free[value]?.popLast() else {
                    continue
                }
                matches[index] = position
                isTaken[position] = true
            }
        }
        match { $0.value }
        for name in ["id", "text", "name", "key", "title", "task"] {
            match { if case .mapping(let mapping) = $0.value { mapping[name] } else { nil } }
        }
        for index in children.indices where matches[index] == nil && !children[index].node.isScalar {
            let position = index == 0 ? 0 : matches[index - 1].map { $0 + 1 } ?? isTaken.count
            guard position < isTaken.count, !isTaken[position], !other.children[position].node.isScalar else {
                continue
            }
            matches[index] = position
            isTaken[position] = true
        }
        return matches
    }
}

extension Node {
    fileprivate var isScalar: Bool {
        switch value {
        case .list, .mapping: false
        case .null, .bool, .number, .string: true
        }
    }
}
