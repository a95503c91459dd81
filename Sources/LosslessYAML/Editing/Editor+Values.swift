/// Edits values in block collections: the text after a `:` or `-` and the lines below.
extension Editor {
    /// The text of a value after a `:` or `-`.
    private struct Form {
        /// The part on the same line.
        var inline: [UInt8]
        /// The whole lines below.
        var body: [UInt8] = []
    }

    mutating func replaceInBlock(_ node: Node, with target: Value, _ owner: Owner) {
        if case .string(let string) = target, editBlockScalar(node, to: string, owner) { return }
        let old = extent(of: node, owner)
        var form = self.form(of: target, replacing: node, owner, bodyEnd: old.body.upperBound)
        let anchor = anchorPrefix(node)
        if !anchor.isEmpty { form.inline = form.inline.isEmpty ? anchor.dropLast() : anchor + form.inline }
        let rest = bytes.skipBlanks(from: old.inline.upperBound)
        let isLineEnd = rest == bytes.count || bytes[rest].isLineBreak
        if owner.isItem, form.inline.isEmpty, isLineEnd {
            // A collection directly inside another collection begins on the line of the dash.
            let indentation = owner.indentation + 2
            form.inline = form.body.prefix { !$0.isLineBreak }.dropFirst(indentation) + []
            form.body = form.body.drop { !$0.isLineBreak }.dropFirst(layout.lineBreak.count) + []
        }
        // A collection that loses all its elements keeps the comments between them.
        if target.isEmptyCollection { form.body = commentLines(in: node, old, below: owner) }
        replaceInline(old.inline, with: form.inline, owner)
        splices.replace(old.body, with: form.body)
        if !form.body.isEmpty {
            // The value might end in a block scalar, and only its smallest possible indentation is known.
            blockEnds[old.body.upperBound] = BlockEnd(
                keepsBlankLines: false, indentation: owner.indentation + 1)
        }
    }

    /// Returns the comment lines in a block collection.
    ///
    /// A comment behind an element is removed with the element.
    private func commentLines(
        in node: Node, _ extent: (inline: Range<Int>, body: Range<Int>), below owner: Owner
    ) -> [UInt8] {
        switch node.shape {
        case .sequence(.block, _), .mapping(.block, _): break
        default: return []
        }
        let indentation = [UInt8](repeating: .space, count: owner.indentation + layout.step)
        return document.comments.filter {
            $0.lowerBound >= extent.body.lowerBound && $0.upperBound <= extent.body.upperBound
                && bytes.skipBlanks(from: bytes.startOfLine(at: $0.lowerBound)) == $0.lowerBound
        }.flatMap { indentation + document.comment($0) + layout.lineBreak }
    }

    /// Returns the range of a value on the line of its `:` or `-` (or on the line where the value begins),
    /// and the range of the lines below.
    private func extent(of node: Node, _ owner: Owner) -> (inline: Range<Int>, body: Range<Int>) {
        let start = node.range.lowerBound
        func linesBelow(_ inline: Range<Int>, to end: Int?) -> (inline: Range<Int>, body: Range<Int>) {
            let next = bytes.startOfNextLine(from: inline.upperBound)
            return (inline, next..<max(next, end ?? next))
        }
        switch node.shape {
        case .scalar(.literal), .scalar(.folded):
            let header = BlockScalarHeader(bytes, nodeStart: start)
            return linesBelow(start..<header.range.upperBound, to: node.range.upperBound)
        case .sequence(.block, _), .mapping(.block, _):
            let indicatorLineEnd = bytes.endOfLineContent(from: owner.indicatorEnd)
            if start > indicatorLineEnd {
                return linesBelow(owner.indicatorEnd..<owner.indicatorEnd, to: owner.lines.upperBound)
            }
            let properties = NodeProperties(bytes, at: start, limit: indicatorLineEnd)
            if properties.contentStart > indicatorLineEnd {
                return linesBelow(start..<properties.end, to: owner.lines.upperBound)
            }
            return linesBelow(start..<indicatorLineEnd, to: owner.lines.upperBound)
        case .scalar, .alias, .sequence(.flow, _), .mapping(.flow, _): return linesBelow(node.range, to: nil)
        }
    }

    private mutating func replaceInline(_ range: Range<Int>, with text: [UInt8], _ owner: Owner) {
        // libyaml accepts a comment directly after a closing quotation mark, but not after anything else.
        let touchesComment = range.upperBound < bytes.count && bytes[range.upperBound] == .hash
        let end: [UInt8] = touchesComment ? [.space] : []
        if !text.isEmpty {
            let needsSpace = range.lowerBound == owner.indicatorEnd
            splices.replace(range, with: (needsSpace ? [.space] : []) + text + end)
            return
        }
        var range = range
        while range.lowerBound > owner.indicatorEnd, bytes[range.lowerBound - 1].isBlank {
            range = (range.lowerBound - 1)..<range.upperBound
        }
        let lineEnd = bytes.skipBlanks(from: range.upperBound)
        let isLineStart = range.lowerBound > owner.indicatorEnd && bytes[range.lowerBound - 1].isLineBreak
        if isLineStart, lineEnd == bytes.count || bytes[lineEnd].isLineBreak {
            range = range.lowerBound..<bytes.skipLineBreak(at: lineEnd)
        }
        splices.replace(range, with: end)
    }

    private func form(of target: Value, replacing node: Node, _ owner: Owner, bodyEnd: Int) -> Form {
        let step = owner.isItem ? 2 : layout.step
        let indentation = owner.indentation + step
        switch target {
        case .string(let string):
            if string.utf8.contains(.lineFeed), node.scalarStyle != .doubleQuoted,
                !wouldContinueBlock(at: bodyEnd, indentation: indentation),
                let text = BlockScalarText(literal: string, canKeep: false)
            {
                let indicator = text.needsIndentationIndicator ? step : nil
                return Form(
                    inline: text.header(folded: false, chomping: text.chomping, indicator: indicator),
                    body: text.text(indentation: indentation, lineBreak: layout.lineBreak))
            }
        case .mapping(let mapping) where !mapping.isEmpty:
            var writer = newWriter(behind: [bodyEnd..<bodyEnd], indentation: indentation)
            writer.write(mapping, indentation: indentation)
            return Form(inline: [], body: writer.output)
        case .list(let list) where !BlockWriter.isShort(list):
            var writer = newWriter(behind: [bodyEnd..<bodyEnd], indentation: indentation)
            for item in list { writer.write(item: item, indentation: indentation) }
            return Form(inline: [], body: writer.output)
        default: break
        }
        return Form(inline: FlowWriter.value(target, preferring: node.scalarStyle, inFlow: false))
    }
}

// MARK: - Block scalars

extension Editor {
    /// Edits a literal or folded block scalar and keeps its style; returns false if that isn't possible.
    private mutating func editBlockScalar(_ node: Node, to string: String, _ owner: Owner) -> Bool {
        let isFolded = node.scalarStyle == .folded
        guard isFolded || node.scalarStyle == .literal else { return false }
        let header = BlockScalarHeader(bytes, nodeStart: node.range.lowerBound)
        let end = node.range.upperBound
        // Keeping the trailing line breaks would turn the following blank lines into content, too.
        let canKeep = header.chomping == .keep || end == bytes.count || !bytes.isBlankLine(at: end)
        let changesOnlyItsEnd = isFolded && changesOnlyItsEnd(node, to: string)
        let text =
            isFolded && !changesOnlyItsEnd
            ? BlockScalarText(folded: string, canKeep: canKeep)
            : BlockScalarText(literal: string, canKeep: canKeep)
        guard let text else { return false }
        let step = owner.isItem ? 2 : layout.step
        let oldIndentation = header.contentIndentation(bytes, to: end, parentIndentation: owner.indentation)
        let indentation = oldIndentation ?? owner.indentation + step
        if oldIndentation == nil, wouldContinueBlock(at: end, indentation: indentation) { return false }
        let indicatorWidth = indentation - owner.indentation
        let needsIndicator = header.indentationIndicator != nil || text.needsIndentationIndicator
        guard !needsIndicator || (1...9).contains(indicatorWidth) else { return false }

        // A block scalar that keeps its trailing breaks can also represent a string that ends in a single
        // break.
        let chomping = header.chomping == .keep && text.chomping == .clip ? .keep : text.chomping
        blockEnds[end] = BlockEnd(keepsBlankLines: chomping == .keep, indentation: indentation)
        if chomping != header.chomping || needsIndicator != (header.indentationIndicator != nil) {
            let indicator = needsIndicator ? indicatorWidth : nil
            splices.replace(
                header.range, with: text.header(folded: isFolded, chomping: chomping, indicator: indicator))
        }
        if changesOnlyItsEnd { return true }
        if isFolded {
            if let added = BlockScalarText.linesAppended(to: node.value, in: string) {
                let lines = added.flatMap {
                    BlockScalarText.line($0, indentation: indentation) + layout.lineBreak
                }
                splices.insert((endsInLineBreak(end) ? [] : layout.lineBreak) + lines, at: end)
                return true
            }
            splices.replace(
                header.contentStart..<end,
                with: text.text(indentation: indentation, lineBreak: layout.lineBreak))
        } else {
            editLines(header.contentStart..<end, to: text.lines, indentation: indentation)
        }
        return true
    }

    private func endsInLineBreak(_ end: Int) -> Bool { end == 0 || bytes[end - 1].isLineBreak }

    /// Returns whether a scalar differs from a string only in a line break at the end.
    private func changesOnlyItsEnd(_ node: Node, to string: String) -> Bool {
        guard case .string(let old) = node.value else { return false }
        let texts = [old, string].map { text in
            text.utf8.reversed().drop { $0 == .lineFeed }
        }
        return texts[0].elementsEqual(texts[1]) && old.utf8.count - texts[0].count < 2
            && string.utf8.count - texts[1].count < 2
    }

    /// Edits the lines of a literal block scalar.
    ///
    /// Unchanged lines keep their bytes.
    private mutating func editLines(_ range: Range<Int>, to new: [ArraySlice<UInt8>], indentation: Int) {
        var starts: [Int] = []
        var old: [ArraySlice<UInt8>] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let end = bytes.endOfLineContent(from: start)
            var content = start
            while content < end, content - start < indentation, bytes[content] == .space { content += 1 }
            starts.append(start)
            old.append(ArraySlice(bytes[content..<end]))
            start = bytes.skipLineBreak(at: end)
        }
        starts.append(range.upperBound)
        let pairs = Alignment.pairs(old, new)
        for gap in Alignment.gaps(pairs, oldCount: old.count, newCount: new.count) {
            let text = new[gap.new].flatMap { line in
                BlockScalarText.line(line, indentation: indentation) + layout.lineBreak
            }
            splices.replace(starts[gap.old.lowerBound]..<starts[gap.old.upperBound], with: text)
        }
    }
}

extension Value {
    /// Whether the value is a list or a mapping without elements.
    fileprivate var isEmptyCollection: Bool {
        switch self {
        case .list(let list): list.isEmpty
        case .mapping(let mapping): mapping.isEmpty
        case .null, .bool, .number, .string: false
        }
    }
}
