/// Block collections: whole lines come and go.
extension Editor {
    /// An entry or an item of a block collection.
    fileprivate struct Child {
        let lines: Range<Int>
        let indentation: Int
        /// The place of its key or dash.
        var start: Int { lines.lowerBound + indentation }
    }

    /// What a collection consists of in the end.
    fileprivate enum BlockElement {
        /// The child of this index, already edited.
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
            if !isCoarse, let indicatorEnd = indicatorEnd(of: entry) {
                let owner = Owner(
                    lines: entry.lines, indentation: entry.indentation, indicatorEnd: indicatorEnd,
                    isItem: false)
                edit(entry.value, to: value, in: .block(owner))
            } else if entry.value.value != value || isCoarse {
                rewrite(entry, value)
            }
        }
        for entry in target.entries where old[entry.key] == nil {
            var writer = newWriter
            writer.write(entry, indentation: indentation)
            elements.append(.new(writer.output))
        }
        arrange(entries.map { Child(lines: $0.lines, indentation: $0.indentation) }, into: elements)
    }

    mutating func editBlockSequence(_ items: [Node.Item], to target: [Value]) {
        let indentation = items[0].indentation
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
                var writer = newWriter
                writer.write(item: value, indentation: indentation)
                elements.append(.new(writer.output))
            }
        }
        arrange(items.map { Child(lines: $0.lines, indentation: $0.indentation) }, into: elements)
    }

    /// A writer of new lines that may be followed by anything.
    var newWriter: BlockWriter {
        BlockWriter(lineBreak: layout.lineBreak, step: layout.step, canKeep: false)
    }

    private mutating func rewrite(_ entry: Node.Entry, _ value: Value) {
        var writer = newWriter
        writer.write((entry.key, value), indentation: entry.indentation, continuesLine: true)
        let start = entry.lines.lowerBound + entry.indentation
        splices.replace(start..<entry.lines.upperBound, with: writer.output)
    }

    /// Removes the children that are not among the elements and puts the new ones where they belong.
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

    /// Arranges what stands at the beginning of a collection whose first child continues a line, as in `- a: 1`,
    /// and returns from which child on removed ones are still to be deleted.
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
        // Comments in between stay, and the next child begins on its own line.
        var start = first.start
        while start > first.lines.lowerBound, bytes[start - 1].isBlank { start -= 1 }
        splices.replace(start..<first.lines.upperBound, with: layout.lineBreak)
        return 1
    }

    private mutating func delete(_ lines: Range<Int>) {
        var end = lines.upperBound
        if keepingEnds.contains(lines.lowerBound) {
            // The blank lines that follow would become content of the block scalar before them.
            while end < bytes.count, bytes.isBlankLine(at: end) { end = bytes.startOfNextLine(from: end) }
            keepingEnds.insert(end)
        }
        splices.delete(lines.lowerBound..<end)
    }
}

extension Editor.BlockElement {
    fileprivate var isNew: Bool {
        if case .new = self { true } else { false }
    }
}
