/// Edits block collections by adding and removing whole lines.
extension Editor {
    /// An entry or an item of a block collection.
    fileprivate struct Child {
        let lines: Range<Int>
        let indentation: Int
        /// The offset of the key or dash.
        var start: Int { lines.lowerBound + indentation }
    }

    /// A part of the edited collection.
    fileprivate enum BlockElement {
        /// The child with this index, already edited.
        case old(Int)
        /// New whole lines.
        case new([UInt8])
    }

    mutating func editBlockMapping(_ node: Node, _ entries: [Node.Entry], to target: Mapping, isRoot: Bool) {
        guard case .mapping(let old) = node.value, let indentation = entries.first?.indentation else {
            return
        }
        var elements: [BlockElement] = []
        for (index, entry) in entries.enumerated() {
            guard let value = target[entry.key] else { continue }
            elements.append(.old(index))
            editKey(of: entry, inFlow: false)
            let isCoarse = isRoot && coarseKeys.contains(ByteKey(entry.key))
            let indicatorEnd = bytes.endOfColon(afterKey: entry.keyRange.upperBound, inFlow: false)
            if !isCoarse, let indicatorEnd {
                let owner = Owner(
                    lines: entry.lines, indentation: entry.indentation, indicatorEnd: indicatorEnd,
                    isItem: false)
                edit(entry.value, to: value, in: .block(owner))
            } else if entry.value.value != value || isCoarse {
                rewrite(entry, value)
            }
        }
        let new = target.entries.filter { old[$0.key] == nil }
        let emptyWriter = newWriter(
            behind: new.isEmpty ? [] : entries.map(\.lines), indentation: indentation + 1)
        for entry in new {
            var writer = emptyWriter
            writer.write(entry, indentation: indentation)
            elements.append(.new(writer.output))
        }
        arrange(entries.map { Child(lines: $0.lines, indentation: $0.indentation) }, into: elements)
    }

    mutating func editBlockSequence(_ items: [Node.Item], to target: [Value]) {
        if let order = order(of: items, as: target) { return reorder(items, order) }
        let indentation = items[0].indentation
        let emptyWriter = newWriter(behind: items.map(\.lines), indentation: indentation + 1)
        var elements: [BlockElement] = []
        for change in ListChange.changes(from: items.map(\.value.value), to: target) {
            switch change {
            case .keep(let index, let value):
                let item = items[index]
                elements.append(.old(index))
                let owner = Owner(
                    lines: item.lines, indentation: item.indentation,
                    indicatorEnd: item.lines.lowerBound + item.indentation + 1, isItem: true)
                edit(item.value, to: value, in: .block(owner))
            case .insert(let value):
                var writer = emptyWriter
                writer.write(item: value, indentation: indentation)
                elements.append(.new(writer.output))
            }
        }
        arrange(items.map { Child(lines: $0.lines, indentation: $0.indentation) }, into: elements)
    }

    /// Returns the new order of the items if the target list has the same elements in a different order.
    ///
    /// Returns nil for any other list, or if whole lines can't be moved.
    private func order(of items: [Node.Item], as target: [Value]) -> [Int]? {
        let old = items.map(\.value.value)
        let first = items[0]
        guard old.count == target.count, old != target, !document.references.hasAliases,
            bytes.skipBlanks(from: first.lines.lowerBound) >= first.lines.lowerBound + first.indentation
        else { return nil }
        var positions: [Value: [Int]] = [:]
        for index in old.indices.reversed() { positions[old[index], default: []].append(index) }
        var order: [Int] = []
        for value in target {
            guard let index = positions[value]?.popLast() else { return nil }
            order.append(index)
        }
        return order
    }

    /// Moves the lines of items along with the comments above them.
    private mutating func reorder(_ items: [Node.Item], _ order: [Int]) {
        var ends = [beginningOfComments(above: items[0].lines.lowerBound)]
        ends += items.map(\.lines.upperBound)
        let text = order.flatMap { bytes[ends[$0]..<ends[$0 + 1]] }
        splices.replace(ends[0]..<ends[items.count], with: text)
    }

    /// Returns the start of the comments directly above a line.
    private func beginningOfComments(above line: Int) -> Int {
        var beginning = line
        while beginning > 0 {
            var previous = beginning - 1
            if previous > 0, bytes[previous - 1] == .carriageReturn { previous -= 1 }
            while previous > 0, !bytes[previous - 1].isLineBreak { previous -= 1 }
            let first = bytes.skipBlanks(from: previous)
            guard first < beginning, bytes[first] == .hash else { break }
            beginning = previous
        }
        return beginning
    }

    private mutating func rewrite(_ entry: Node.Entry, _ value: Value) {
        var writer = newWriter(behind: [entry.lines], indentation: entry.indentation + 1)
        writer.write((entry.key, value), indentation: entry.indentation, continuesLine: true)
        let start = entry.lines.lowerBound + entry.indentation
        splices.replace(start..<entry.lines.upperBound, with: writer.output)
    }

    /// Removes the children that aren't among the elements, and inserts the new elements.
    private mutating func arrange(_ children: [Child], into elements: [BlockElement]) {
        let first = children[0]
        let surviving = elements.compactMap { if case .old(let index) = $0 { index } else { nil } }
        var firstRemoval = 0
        if bytes.skipBlanks(from: first.lines.lowerBound) < first.start {
            firstRemoval = arrangeBeginning(children, elements, firstSurviving: surviving.first)
        } else {
            for case .new(let lines) in elements.prefix(while: \.isNew) {
                splices.insert(lines, at: first.lines.lowerBound)
            }
        }
        var isSurviving = [Bool](repeating: false, count: children.count)
        for index in surviving { isSurviving[index] = true }
        for index in children.indices.dropFirst(firstRemoval) where !isSurviving[index] {
            delete(children[index].lines)
        }
        var previous: Int?
        for element in elements {
            switch element {
            case .old(let index): previous = index
            case .new(let lines):
                if let previous { splices.insert(lines, at: children[previous].lines.upperBound) }
            }
        }
    }

    /// Arranges the beginning of a collection whose first child doesn't begin its line, as in `- a: 1`.
    ///
    /// Returns the index of the first child that might still have to be deleted.
    private mutating func arrangeBeginning(
        _ children: [Child], _ elements: [BlockElement], firstSurviving: Int?
    ) -> Int {
        let first = children[0]
        var new: [UInt8] = []
        for case .new(let lines) in elements.prefix(while: \.isNew) { new += lines }
        if firstSurviving == 0 {
            if !new.isEmpty {
                let indentation = [UInt8](repeating: .space, count: first.indentation)
                splices.insert(new.dropFirst(first.indentation) + indentation, at: first.start)
            }
            return 1
        }
        if !new.isEmpty {
            splices.replace(
                first.start..<first.lines.upperBound, with: Array(new.dropFirst(first.indentation)))
            return 1
        }
        guard let next = firstSurviving else { return 1 }
        let isAdjacent = (1...next).allSatisfy {
            children[$0 - 1].lines.upperBound == children[$0].lines.lowerBound
        }
        if isAdjacent {
            splices.delete(first.start..<children[next].start)
            return next
        }
        // Keep the comments in between, and begin the next child on its own line.
        var start = first.start
        while start > first.lines.lowerBound, bytes[start - 1].isBlank { start -= 1 }
        splices.replace(start..<first.lines.upperBound, with: layout.lineBreak)
        return 1
    }
}

extension Editor.BlockElement {
    fileprivate var isNew: Bool {
        if case .new = self { true } else { false }
    }
}

/// Tracks the ends of block scalars, which include every following line that is indented far enough, even
/// blank ones.
///
/// The editor doesn't write a new block scalar, or delete lines below an existing one, if that would change
/// the scalar's value.
extension Editor {
    /// A block scalar that ends at the start of a line.
    struct BlockEnd {
        /// Whether the scalar includes all following blank lines, and not only the lines with more spaces
        /// than its indentation.
        let keepsBlankLines: Bool
        let indentation: Int
    }

    /// Returns whether a block scalar with the given indentation would include the following lines if it
    /// ended at an offset.
    func wouldContinueBlock(at position: Int, indentation: Int) -> Bool {
        var line = position
        while line < bytes.count {
            let first = bytes.skipBlanks(from: line)
            if first == bytes.count || bytes[first].isLineBreak {
                if first - line > indentation { return true }
                line = bytes.skipLineBreak(at: first)
            } else {
                return bytes[first] == .hash && first - line >= indentation
            }
        }
        return false
    }

    /// Returns a writer for lines that replace or follow other lines.
    ///
    /// - Parameter indentation: The smallest indentation among the block scalars to write.
    func newWriter(behind lines: [Range<Int>], indentation: Int) -> BlockWriter {
        let canEndAnywhere = lines.allSatisfy {
            !wouldContinueBlock(at: $0.upperBound, indentation: indentation)
        }
        return BlockWriter(
            lineBreak: layout.lineBreak, step: layout.step, blockScalars: canEndAnywhere ? .clipped : .none)
    }

    /// Deletes whole lines, along with blank lines that would otherwise become part of a block scalar above.
    mutating func delete(_ lines: Range<Int>) {
        var end = lines.upperBound
        if let above = blockEnd(above: lines.lowerBound) {
            while end < bytes.count, bytes.isBlankLine(at: end) {
                let next = bytes.startOfNextLine(from: end)
                guard above.keepsBlankLines || bytes.skipBlanks(from: end) - end > above.indentation else {
                    break
                }
                end = next
            }
            blockEnds[end] = above
        }
        splices.delete(lines.lowerBound..<end)
    }

    /// Returns the block scalar that ends at the start of a line, or above the blank lines before that line.
    private func blockEnd(above line: Int) -> BlockEnd? {
        var line = line
        while blockEnds[line] == nil, let previous = bytes.startOfPreviousLine(before: line) {
            guard bytes.isBlankLine(at: previous) else { return nil }
            line = previous
        }
        return blockEnds[line]
    }

    /// Collects the ends of block scalars.
    static func blockEnds(
        of node: Node, parentIndentation: Int, _ bytes: UnsafeBufferPointer<UInt8>,
        into ends: inout [Int: BlockEnd]
    ) {
        switch node.shape {
        case .scalar(.literal), .scalar(.folded):
            let header = BlockScalarHeader(bytes, nodeStart: node.range.lowerBound)
            let indentation = header.contentIndentation(
                bytes, to: node.range.upperBound, parentIndentation: parentIndentation)
            ends[node.range.upperBound] = BlockEnd(
                keepsBlankLines: header.chomping == .keep, indentation: indentation ?? parentIndentation)
        case .scalar, .alias, .sequence(.flow, _), .mapping(.flow, _): break
        case .sequence(.block, let items):
            for item in items {
                blockEnds(of: item.value, parentIndentation: item.indentation, bytes, into: &ends)
            }
        case .mapping(.block, let entries):
            for entry in entries {
                blockEnds(of: entry.value, parentIndentation: entry.indentation, bytes, into: &ends)
            }
        }
    }
}
