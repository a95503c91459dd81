/// Edits flow collections by adding and removing elements between brackets.
extension Editor {
    /// A part of the edited collection.
    fileprivate enum FlowElement {
        /// The child with this index, already edited.
        case old(Int)
        case new([UInt8])
    }

    mutating func editFlowSequence(_ node: Node, _ items: [Node.Item], to target: [Value]) {
        var elements: [FlowElement] = []
        for change in ListChange.changes(from: items.map(\.value.value), to: target) {
            switch change {
            case .keep(let index, let value):
                elements.append(.old(index))
                edit(items[index].value, to: value, in: .flow(hasIndicator: true))
            case .insert(let value):
                elements.append(.new(FlowWriter.value(value, inFlow: true, isJSON: layout.isJSON)))
            }
        }
        arrange(items.map(\.value.range), of: node, into: elements)
    }

    mutating func editFlowMapping(_ node: Node, _ entries: [Node.Entry], to target: Mapping) {
        guard case .mapping(let old) = node.value else { return }
        var elements: [FlowElement] = []
        for (index, entry) in entries.enumerated() {
            guard let value = target[entry.key] else { continue }
            elements.append(.old(index))
            let hasColon = bytes.endOfColon(afterKey: entry.keyRange.upperBound, inFlow: true) != nil
            if !hasColon, entry.value.value != value, bytes[entry.keyRange].contains(where: \.isLineBreak) {
                // A colon can't follow a key that spans lines.
                splices.replace(
                    entry.lines, with: FlowWriter.entry((entry.key, value), isJSON: layout.isJSON))
                continue
            }
            editKey(of: entry, inFlow: true)
            edit(entry.value, to: value, in: .flow(hasIndicator: hasColon))
        }
        for entry in target.entries where old[entry.key] == nil {
            elements.append(.new(FlowWriter.entry(entry, isJSON: layout.isJSON)))
        }
        arrange(entries.map(\.lines), of: node, into: elements)
    }

    /// Removes the children that aren't among the elements, and inserts the new elements.
    private mutating func arrange(_ children: [Range<Int>], of node: Node, into elements: [FlowElement]) {
        let surviving = elements.compactMap { if case .old(let index) = $0 { index } else { nil } }
        guard let firstSurviving = surviving.first else {
            replaceContent(of: node, children, with: elements.compactMap(\.newText))
            return
        }
        var isSurviving = [Bool](repeating: false, count: children.count)
        for index in surviving { isSurviving[index] = true }
        var index = 0
        while index < children.count {
            var end = index
            while end < children.count, !isSurviving[end] { end += 1 }
            if end > index { delete(index..<end, children) }
            index = end + 1
        }
        insert(elements, children, firstSurviving)
    }

    /// Inserts the new elements after the children that precede them.
    private mutating func insert(_ elements: [FlowElement], _ children: [Range<Int>], _ firstSurviving: Int) {
        var elements = elements[...]
        var previous: Int?
        while let element = elements.first {
            if case .old(let index) = element {
                previous = index
                elements.removeFirst()
                continue
            }
            let new = elements.prefix { $0.newText != nil }.compactMap(\.newText)
            elements = elements.dropFirst(new.count)
            guard let previous else {
                splices.insert(
                    FlowWriter.joined(new) + [.comma, .space], at: children[firstSurviving].lowerBound)
                continue
            }
            insert(new, behind: children[previous])
        }
    }

    /// Inserts new children after another child and the comment on its line.
    private mutating func insert(_ new: [[UInt8]], behind child: Range<Int>) {
        var next = bytes.skipBlanks(from: child.upperBound)
        let hasComma = next < bytes.count && bytes[next] == .comma
        if hasComma { next = bytes.skipBlanks(from: next + 1) }
        // Without the space, `key:,` would be a plain scalar.
        let comma: [UInt8] = bytes[child.upperBound - 1] == .colon ? [.space, .comma] : [.comma]
        guard next < bytes.count, bytes[next] == .hash else {
            splices.insert(comma + [.space] + FlowWriter.joined(new), at: child.upperBound)
            return
        }
        if !hasComma { splices.insert(comma, at: child.upperBound) }
        let column = child.lowerBound - bytes.startOfLine(at: child.lowerBound)
        let line = layout.lineBreak + [UInt8](repeating: .space, count: column)
        let lines = line + new.joined(separator: [.comma] + line) + (hasComma ? [.comma] : [])
        splices.insert(lines, at: bytes.endOfLineContent(from: next))
    }

    /// Replaces the whole content of a collection.
    private mutating func replaceContent(of node: Node, _ children: [Range<Int>], with new: [[UInt8]]) {
        let open = NodeProperties(bytes, at: node.range.lowerBound).contentStart
        let inside = (open + 1)..<(node.range.upperBound - 1)
        if let first = children.first, let last = children.last {
            // A collection that loses all its elements keeps the comments between them.
            if new.isEmpty, bytes[inside].contains(.hash) {
                delete(children.indices, children)
                return
            }
            let range = new.isEmpty ? inside : first.lowerBound..<last.upperBound
            splices.replace(range, with: FlowWriter.joined(new))
        } else if !new.isEmpty {
            let hasComment = bytes[inside].contains(.hash)
            let text = FlowWriter.joined(new)
            if hasComment {
                splices.insert(text + [.space], at: inside.lowerBound)
            } else {
                splices.replace(inside, with: text)
            }
        }
    }

    /// Deletes adjacent children, each with one comma, and keeps the comments between them.
    private mutating func delete(_ run: Range<Int>, _ children: [Range<Int>]) {
        let isLast = run.upperBound == children.count
        if isLast, run.lowerBound > 0 {
            let between = children[run.lowerBound - 1].upperBound..<children[run.upperBound - 1].upperBound
            if !bytes[between].contains(.hash) {
                splices.delete(between)
                return
            }
        }
        for index in run {
            let child = children[index]
            let next = bytes.skipTrivia(from: child.upperBound)
            let hasComma = next < bytes.count && bytes[next] == .comma
            var end = child.upperBound
            if hasComma, !bytes[end..<next].contains(.hash) {
                end = next + 1
                if index + 1 < children.count, !bytes[end..<children[index + 1].lowerBound].contains(.hash) {
                    end = children[index + 1].lowerBound
                }
            } else if hasComma {
                splices.delete(next..<(next + 1))
            }
            splices.delete(child.lowerBound..<end)
        }
    }
}

extension Editor.FlowElement {
    fileprivate var newText: [UInt8]? {
        if case .new(let text) = self { text } else { nil }
    }
}
