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
                guard let value = property(children[index].node), let place = free[value]?.popLast() else {
                    continue
                }
                matches[index] = place
                isTaken[place] = true
            }
        }
        match { $0.value }
        for name in ["id", "text", "name", "key", "title", "task"] {
            match { if case .mapping(let mapping) = $0.value { mapping[name] } else { nil } }
        }
        for index in children.indices where matches[index] == nil && !children[index].node.isScalar {
            let place = index == 0 ? 0 : matches[index - 1].map { $0 + 1 } ?? isTaken.count
            guard place < isTaken.count, !isTaken[place], !other.children[place].node.isScalar else {
                continue
            }
            matches[index] = place
            isTaken[place] = true
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
