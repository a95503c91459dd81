internal import CLibYAML

/// Builds the tree of nodes from libyaml's events and from the bytes between them.
struct TreeBuilder: ~Copyable {
    let bytes: UnsafeBufferPointer<UInt8>
    let events: EventReader
    private(set) var references = References()
    private var anchors = Anchors()
    /// The number of nested collections in the last node.
    private var builtHeight = 0
    /// The number of nodes read so far, with aliases expanded.
    private var expandedNodes = 0
    private var expandedBytes: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ scan: TextScan) {
        self.bytes = bytes
        events = EventReader(bytes, scan, SurrogatePairs(bytes, scan))
        expandedBytes = bytes.count
    }

    /// Parses the whole text, which must be a single document with a mapping.
    mutating func buildDocument() throws(YAMLError) -> Node {
        try checkDirectives()
        try events.next()  // stream start
        try events.next()
        guard events.type == YAML_DOCUMENT_START_EVENT else { throw error(.noMapping, at: events.start) }
        try events.next()
        guard events.type == YAML_MAPPING_START_EVENT else { throw error(.noMapping, at: events.start) }
        let root = try buildNode(Surroundings(depth: 1, indentation: -1, isFlow: false, emptyOffset: 0))
        try events.next()
        try checkEnd(from: events.end)
        // An alias is checked where it is; the nodes behind the last one count, too.
        if let alias = references.lastAlias, expandedNodes > Limits.expandedNodes {
            throw error(.aliasesTooLarge, at: alias)
        }
        return root
    }

    /// The context of a node.
    struct Surroundings {
        /// The number of nested collections, including the node itself if it is one.
        var depth: Int
        /// The column of the innermost block collection around the node; -1 if there isn't one.
        var indentation: Int
        var isFlow: Bool
        /// The offset to use for a node without bytes: after the `:` or `-` before it.
        var emptyOffset: Int
    }

    /// The error for unexpected text between two events; no known text causes it.
    private static let unclearLayout = YAMLError.Reason.syntax("found a layout that cannot be followed")

    func error(_ reason: YAMLError.Reason, at offset: Int) -> YAMLError {
        YAMLError(reason, at: offset, in: bytes)
    }
}

// MARK: - Nodes

extension TreeBuilder {
    /// Builds the node that begins with the current event.
    private mutating func buildNode(_ surroundings: Surroundings) throws(YAMLError) -> Node {
        let nodesBefore = expandedNodes
        let bytesBefore = expandedBytes
        let start = events.start
        expandedNodes += 1
        builtHeight = 0
        if events.type == YAML_ALIAS_EVENT {
            let (number, value) = try expandAlias(depth: surroundings.depth)
            references.aliasesOfNodes[start] = number
            return Node(value: value, shape: .alias, range: start..<events.end)
        }
        let anchor = events.anchor.map { anchors.open($0) }
        let node: Node
        switch events.type {
        case YAML_SCALAR_EVENT: node = try buildScalar(surroundings)
        case YAML_SEQUENCE_START_EVENT: node = try buildSequence(surroundings)
        default: node = try buildMapping(surroundings)
        }
        if let anchor {
            references.anchorsOfNodes[start] = anchor
            // Each expansion repeats the node's own text, so its length counts, too.
            let target = Anchors.Target(
                value: node.value, height: builtHeight, nodes: expandedNodes - nodesBefore,
                bytes: expandedBytes - bytesBefore + node.range.count)
            anchors.close(anchor, target)
        }
        return node
    }

    private mutating func expandAlias(depth: Int) throws(YAMLError) -> (number: Int, value: Value) {
        let name = events.anchor ?? ""
        guard let anchor = anchors.find(name) else { throw error(.unknownAlias(name), at: events.start) }
        guard let target = anchor.target else { throw error(.recursiveAlias(name), at: events.start) }
        expandedNodes += target.nodes - 1
        expandedBytes += target.bytes
        guard expandedNodes <= Limits.expandedNodes, expandedBytes <= Limits.bytes else {
            throw error(.aliasesTooLarge, at: events.start)
        }
        guard depth - 1 + target.height <= Limits.depth else { throw error(.tooDeep, at: events.start) }
        builtHeight = target.height
        return (anchor.number, target.value)
    }

    private mutating func buildScalar(_ surroundings: Surroundings) throws(YAMLError) -> Node {
        let value = try resolveScalar()
        var range = events.start..<events.end
        let style: Node.ScalarStyle
        switch events.event.pointee.data.scalar.style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: style = .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: style = .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: style = .literal
        case YAML_FOLDED_SCALAR_STYLE: style = .folded
        default: style = .plain
        }
        if style == .literal || style == .folded {
            let header = BlockScalarHeader(bytes, nodeStart: range.lowerBound)
            let end = header.endOfContent(
                bytes, scannedTo: range.upperBound, parentIndentation: surroundings.indentation)
            range = range.lowerBound..<end
        } else if range.isEmpty {
            range = surroundings.emptyOffset..<surroundings.emptyOffset
        }
        return Node(value: value, shape: .scalar(style), range: range)
    }

    /// Builds a sequence from its start event, and stops at its end event.
    private mutating func buildSequence(_ surroundings: Surroundings) throws(YAMLError) -> Node {
        try checkTag(.sequence)
        try checkDepth(surroundings)
        let isBlock = events.event.pointee.data.sequence_start.style != YAML_FLOW_SEQUENCE_STYLE
        let start = events.start
        var cursor = events.end
        if isBlock { cursor = skipProperties(from: start) }
        var items: [Node.Item] = []
        var values: [Value] = []
        var height = 0
        while true {
            try events.next()
            if events.type == YAML_SEQUENCE_END_EVENT { break }
            let item: Node.Item
            if isBlock {
                let dash = bytes.skipTrivia(from: cursor)
                guard dash < bytes.count, bytes[dash] == .hyphen else {
                    throw error(Self.unclearLayout, at: events.start)
                }
                let column = dash - bytes.startOfLine(at: dash)
                let value = try buildNode(
                    Surroundings(
                        depth: surroundings.depth + 1, indentation: column, isFlow: false,
                        emptyOffset: dash + 1))
                cursor = max(dash + 1, value.range.upperBound)
                item = Node.Item(
                    value: value, lines: lines(of: dash..<cursor, deeperThan: column), indentation: column)
            } else {
                let value = try buildNode(
                    Surroundings(
                        depth: surroundings.depth + 1, indentation: surroundings.indentation, isFlow: true,
                        emptyOffset: events.start))
                item = Node.Item(value: value, lines: value.range, indentation: 0)
            }
            height = max(height, builtHeight)
            values.append(item.value.value)
            items.append(item)
        }
        builtHeight = height + 1
        return Node(
            value: .list(values), shape: .sequence(isBlock ? .block : .flow, items),
            range: start..<(isBlock ? cursor : events.end))
    }

    /// Builds a mapping from its start event, and stops at its end event.
    private mutating func buildMapping(_ surroundings: Surroundings) throws(YAMLError) -> Node {
        try checkTag(.mapping)
        try checkDepth(surroundings)
        let isBlock = events.event.pointee.data.mapping_start.style != YAML_FLOW_MAPPING_STYLE
        let start = events.start
        // A mapping without braces, as in `[key: value]`, has no properties; an anchor or tag belongs to its
        // key.
        let hasNoBraces =
            !isBlock && events.anchor == nil && events.tag == nil && bytes[start] != .openBrace
        var cursor = isBlock ? skipProperties(from: start) : hasNoBraces ? start : events.end
        var entries: [Node.Entry] = []
        var mapping = Mapping()
        var height = 0
        while true {
            try events.next()
            if events.type == YAML_MAPPING_END_EVENT { break }
            if !isBlock { cursor = skipComma(from: cursor) }
            let entryStart = bytes.skipTrivia(from: cursor)
            let keyRange = events.start..<events.end
            guard entryStart <= keyRange.lowerBound else {
                throw error(Self.unclearLayout, at: keyRange.lowerBound)
            }
            let key = try buildKey()
            let emptyOffset =
                bytes.endOfColon(afterKey: keyRange.upperBound, inFlow: !isBlock) ?? keyRange.upperBound
            let column = isBlock ? entryStart - bytes.startOfLine(at: entryStart) : 0
            try events.next()
            let value = try buildNode(
                Surroundings(
                    depth: surroundings.depth + 1, indentation: isBlock ? column : surroundings.indentation,
                    isFlow: !isBlock, emptyOffset: emptyOffset))
            cursor = max(emptyOffset, value.range.upperBound)
            let range = entryStart..<cursor
            guard mapping.append(key, value.value) else {
                throw error(.repeatedKey(key), at: keyRange.lowerBound)
            }
            entries.append(
                Node.Entry(
                    key: key, keyRange: keyRange, value: value,
                    lines: isBlock ? lines(of: range, deeperThan: column) : range, indentation: column))
            height = max(height, builtHeight)
        }
        builtHeight = height + 1
        return Node(
            value: .mapping(mapping), shape: .mapping(isBlock ? .block : .flow, entries),
            range: start..<(isBlock || hasNoBraces ? cursor : events.end))
    }

    private mutating func buildKey() throws(YAMLError) -> String {
        let start = events.start
        expandedNodes += 1
        let value: Value
        switch events.type {
        case YAML_ALIAS_EVENT:
            let (number, target) = try expandAlias(depth: 1)
            references.aliasesOfKeys[start] = number
            value = target
        case YAML_SCALAR_EVENT:
            value = try resolveScalar()
            if let name = events.anchor {
                let anchor = anchors.open(name)
                references.anchorsOfKeys[start] = anchor
                anchors.close(
                    anchor, Anchors.Target(value: value, height: 0, nodes: 1, bytes: events.end - start))
            }
        default: throw error(.keyIsNoString, at: start)
        }
        guard case .string(let key) = value else { throw error(.keyIsNoString, at: start) }
        guard FieldKey.isValid(key) else { throw error(.badKey(key), at: start) }
        return key
    }
}

/// Resolves scalars and tags to values.
extension TreeBuilder {
    private func resolveScalar() throws(YAMLError) -> Value {
        let scalar = events.event.pointee.data.scalar
        let text = UnsafeRawBufferPointer(start: scalar.value, count: scalar.length)
            .assumingMemoryBound(to: UInt8.self)
        let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
        let tag = events.tag
        let value: Value?
        do throws(CoreSchema.Fault) {
            if let tag {
                value = try CoreTag(tag)?.resolve(text)
            } else {
                value =
                    isPlain ? try CoreSchema.resolve(text) : .string(String(decoding: text, as: UTF8.self))
            }
        } catch {
            throw self.error(error == .notFinite ? .notFinite : .numberTooLarge, at: events.start)
        }
        guard let value else { throw error(.tag(tag ?? ""), at: events.start) }
        return value
    }

    private func checkTag(_ kind: CoreTag) throws(YAMLError) {
        guard let tag = events.tag else { return }
        let read = CoreTag(tag)
        guard read == kind || read == .nonSpecific else { throw error(.tag(tag), at: events.start) }
    }

    private func checkDepth(_ surroundings: Surroundings) throws(YAMLError) {
        guard surroundings.depth <= Limits.depth else { throw error(.tooDeep, at: events.start) }
    }
}

/// Finds positions in the text that libyaml's events don't report.
extension TreeBuilder {
    /// Returns the offset after a node's anchor and tag, if the current event has any.
    private func skipProperties(from start: Int) -> Int {
        let (hasAnchor, hasTag) = (events.anchor != nil, events.tag != nil)
        guard hasAnchor || hasTag else { return start }
        return NodeProperties(bytes, at: start, mayHaveAnchor: hasAnchor, mayHaveTag: hasTag).end
    }

    private func skipComma(from position: Int) -> Int {
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
    private func checkDirectives() throws(YAMLError) {
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
    private func checkEnd(from end: Int) throws(YAMLError) {
        var position = bytes.skipTrivia(from: end)
        while bytes.hasDocumentEndMarker(at: position) { position = bytes.skipTrivia(from: position + 3) }
        guard position == bytes.count else { throw error(.severalDocuments, at: position) }
    }
}

/// The anchors read so far, with their targets.
private struct Anchors {
    /// An anchor's node, with the cost of expanding it.
    fileprivate struct Target {
        let value: Value
        /// The number of nested collections in the value.
        let height: Int
        let nodes: Int
        let bytes: Int
    }

    private var numbers: [ByteKey: Int] = [:]
    private var targets: [Target?] = []

    /// Assigns a name to the node that begins now, and returns the anchor's number.
    mutating func open(_ name: String) -> Int {
        numbers[ByteKey(name)] = targets.count
        targets.append(nil)
        return targets.count - 1
    }

    mutating func close(_ number: Int, _ target: Target) {
        targets[number] = target
    }

    /// Returns the anchor that an alias refers to.
    ///
    /// Its target is nil until the anchor's node has been read.
    func find(_ name: String) -> (number: Int, target: Target?)? {
        numbers[ByteKey(name)].map { ($0, targets[$0]) }
    }
}

/// The rules for keys.
private enum FieldKey {
    /// Returns whether a key has 1 to 255 characters and no control characters.
    static func isValid(_ key: String) -> Bool {
        // Most keys are so short that their characters needn't be counted.
        let length = key.utf8.count <= Limits.keyLength.upperBound ? key.utf8.count : key.unicodeScalars.count
        guard Limits.keyLength.contains(length) else { return false }
        return key.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
}
