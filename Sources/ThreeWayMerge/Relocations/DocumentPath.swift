import LosslessYAML

/// A step from a collection to one of its values.
enum FieldStep: Hashable {
    case key(ByteKey)
    case item(Int)

    var name: String? { if case .key(let key) = self { key.string } else { nil } }
}

/// The path from the root of a document to a field.
typealias DocumentPath = [FieldStep]

extension Value {
    /// Returns the value at a path; nil if there isn't one.
    func value(at path: some Collection<FieldStep>) -> Value? {
        guard let step = path.first else { return self }
        return switch (step, self) {
        case (.key(let key), .mapping(let mapping)): mapping[key.string]?.value(at: path.dropFirst())
        case (.item(let index), .list(let list)) where list.indices.contains(index):
            list[index].value(at: path.dropFirst())
        default: nil
        }
    }

    /// Returns the value with the part at a path replaced or removed.
    ///
    /// Returns nil if the path leads through a value that isn't a collection. Missing mappings on the path
    /// are created.
    func setting(_ new: Value?, at path: some Collection<FieldStep>) -> Value? {
        guard let step = path.first else { return new }
        let rest = path.dropFirst()
        switch (step, self) {
        case (.key(let key), .mapping(var mapping)):
            if rest.isEmpty {
                mapping[key.string] = new
            } else {
                guard let inner = (mapping[key.string] ?? .mapping([:])).setting(new, at: rest) else {
                    return nil
                }
                mapping[key.string] = inner
            }
            return .mapping(mapping)
        case (.item(let index), .list(var list)) where list.indices.contains(index) && !rest.isEmpty:
            guard let inner = list[index].setting(new, at: rest) else { return nil }
            list[index] = inner
            return .list(list)
        default: return nil
        }
    }
}

/// An entry of a mapping with its surroundings.
struct EntryLocation {
    var entry: Node.Entry
    var siblings: [Node.Entry]
    var isFlow: Bool
    /// The offset after the previous entry or item, where the comments above this entry begin.
    var start: Int
    /// The offset after the entry's lines.
    ///
    /// In flow style, the offset of the next entry.
    var end: Int
}

extension Document {
    /// Returns the node at a path; nil if there isn't one or the path leads through an alias.
    func node(at path: some Collection<FieldStep>) -> Node? {
        path.reduce(root) { (node: Node?, step) in
            switch (step, node?.shape) {
            case (.key(let key), .mapping(_, let entries)?):
                entries.first { ByteKey($0.key) == key }?.value
            case (.item(let index), .sequence(_, let items)?) where items.indices.contains(index):
                items[index].value
            default: nil
            }
        }
    }

    /// Returns the entry at a path.
    func location(at path: DocumentPath) -> EntryLocation? {
        guard case .key(let key)? = path.last, let parent = node(at: path.dropLast()),
            case .mapping(let style, let siblings) = parent.shape,
            let index = siblings.firstIndex(where: { ByteKey($0.key) == key })
        else { return nil }
        let entry = siblings[index]
        let isFlow = style == .flow
        var start = entry.lines.lowerBound
        if index > 0 {
            start = siblings[index - 1].lines.upperBound
        } else if isFlow {
            start = parent.range.lowerBound
        } else if path.count == 1 {
            start = 0
        } else if let above = location(at: path.dropLast())?.entry.keyRange.upperBound {
            start = min(start, bytes[above...].firstIndex(of: LineEnding.lf).map { $0 + 1 } ?? start)
        }
        let behind =
            index + 1 < siblings.count ? siblings[index + 1].lines.lowerBound : parent.range.upperBound
        return EntryLocation(
            entry: entry, siblings: siblings, isFlow: isFlow, start: start,
            end: isFlow ? behind : entry.lines.upperBound)
    }

    /// Returns the comments in and above an entry.
    func commentTexts(at path: DocumentPath) -> [ArraySlice<UInt8>] {
        guard let location = location(at: path) else { return [] }
        return comments.filter { (location.start..<location.end).contains($0.lowerBound) }.map { comment($0) }
    }
}
