/// Changes a document's values with as few changes to its text as possible.
///
/// It walks the tree in the order of the text and collects replacements. Callers verify the result.
struct Editor {
    let document: Document
    let bytes: UnsafeBufferPointer<UInt8>
    let layout: Layout
    /// The top-level keys whose entries are rewritten entirely if anything in them changes.
    let coarseKeys: Set<ByteKey>
    var splices = Splices()
    /// The anchors edited so far that stay in the text, each with the new value of its aliases.
    var keptAnchors: [Int: Value] = [:]
    /// The ends of block scalars, by offset.
    var blockEnds: [Int: BlockEnd] = [:]

    init(_ document: Document, _ bytes: UnsafeBufferPointer<UInt8>, coarseKeys: Set<ByteKey> = []) {
        self.document = document
        self.bytes = bytes
        layout = Layout(document)
        self.coarseKeys = coarseKeys
        Self.blockEnds(of: document.root, parentIndentation: -1, bytes, into: &blockEnds)
    }

    /// The kind of text around a value.
    enum Context {
        /// Inside brackets or braces, perhaps after a `:`.
        case flow(hasIndicator: Bool)
        case block(Owner)
    }

    /// The block entry or block item that a value belongs to.
    struct Owner {
        let lines: Range<Int>
        /// The column of the key or dash.
        let indentation: Int
        /// The offset after the `:` or `-`.
        let indicatorEnd: Int
        let isItem: Bool
    }

    mutating func edit(to target: Mapping) {
        let root = document.root
        switch root.shape {
        case .mapping(.block, let entries):
            if target.isEmpty, let first = entries.first, let last = entries.last {
                let start = first.lines.lowerBound + first.indentation
                splices.replace(
                    start..<last.lines.upperBound,
                    with: FlowWriter.value(.mapping([:]), inFlow: false) + layout.lineBreak)
            } else {
                editBlockMapping(root, entries, to: target, isRoot: true)
            }
        case .mapping(.flow, let entries): editFlowMapping(root, entries, to: target)
        default: preconditionFailure("a document is a mapping")
        }
    }

    /// Edits a node and its descendants.
    mutating func edit(_ node: Node, to target: Value, in context: Context) {
        if node.value == target, !document.references.hasAliases { return }
        let start = node.range.lowerBound
        switch (node.shape, target) {
        case (.alias, _):
            // An alias's value can change although its text doesn't.
            let number = document.references.aliasesOfNodes[start]
            if number.flatMap({ keptAnchors[$0] }) != target { replace(node, with: target, in: context) }
        case (.mapping(.block, let entries), .mapping(let mapping)) where !mapping.isEmpty:
            editBlockMapping(node, entries, to: mapping, isRoot: false)
        case (.mapping(.flow, let entries), .mapping(let mapping))
        where !isReplacedWhole(node, context) && (hasBraces(node) || node.value == target):
            editFlowMapping(node, entries, to: mapping)
        case (.sequence(.block, let items), .list(let list)) where !list.isEmpty:
            editBlockSequence(items, to: list)
        case (.sequence(.flow, let items), .list(let list)) where !isReplacedWhole(node, context):
            editFlowSequence(node, items, to: list)
        default:
            if node.value != target { replace(node, with: target, in: context) }
        }
        if let anchor = document.references.anchorsOfNodes[start] { keptAnchors[anchor] = target }
    }

    /// Replaces a node's content with new text, but keeps its anchor.
    mutating func replace(_ node: Node, with target: Value, in context: Context) {
        switch context {
        case .block(let owner): replaceInBlock(node, with: target, owner)
        case .flow(let hasIndicator):
            let text =
                anchorPrefix(node)
                + FlowWriter.value(
                    target, preferring: node.scalarStyle, inFlow: true, isJSON: layout.isJSON)
            let separator = node.range.isEmpty ? hasIndicator ? " " : ": " : ""
            splices.replace(node.range, with: Array(separator.utf8) + text)
        }
    }

    /// Returns a node's anchor, followed by a space, to be written again; empty if the node has no anchor.
    func anchorPrefix(_ node: Node) -> [UInt8] {
        guard document.references.anchorsOfNodes[node.range.lowerBound] != nil, !node.range.isEmpty,
            let anchor = NodeProperties(bytes, at: node.range.lowerBound).anchor
        else { return [] }
        return bytes[anchor] + [.space]
    }

    /// Rewrites a key that is an alias if the alias's anchor doesn't stay, and records the key's own anchor.
    mutating func editKey(of entry: Node.Entry, inFlow: Bool) {
        guard document.references.hasAliases else { return }
        let start = entry.keyRange.lowerBound
        if let number = document.references.aliasesOfKeys[start], keptAnchors[number] != .string(entry.key) {
            splices.replace(entry.keyRange, with: ScalarWriter.key(entry.key, inFlow: inFlow))
        }
        if let anchor = document.references.anchorsOfKeys[start] { keptAnchors[anchor] = .string(entry.key) }
    }

    /// Returns whether a flow collection is `[]` or `{}`, which can change its style once it has elements.
    private func isReplacedWhole(_ node: Node, _ context: Context) -> Bool {
        guard case .block = context, !bytes[node.range].contains(.hash) else { return false }
        switch node.shape {
        case .sequence(_, let items): return items.isEmpty
        case .mapping(_, let entries): return entries.isEmpty
        case .scalar, .alias: return false
        }
    }

    /// Returns whether a flow mapping has braces; the pair in `[key: value]` doesn't.
    private func hasBraces(_ node: Node) -> Bool {
        let end = node.range.upperBound - 1
        let start = NodeProperties(bytes, at: node.range.lowerBound).contentStart
        return start < end && bytes[start] == .openBrace && bytes[end] == .closeBrace
    }
}

extension Node {
    /// The style of a scalar; plain for any other node.
    var scalarStyle: ScalarStyle {
        if case .scalar(let style) = shape { style } else { .plain }
    }
}

/// The layout of a text, for new lines to follow.
struct Layout {
    /// The first line break of the text, or LF if there isn't one.
    let lineBreak: [UInt8]
    /// The number of columns that nested mappings are indented by; 2 if the text has no nested mapping.
    let step: Int
    /// Whether the text seems to be JSON, because all its keys are in double quotes between braces.
    ///
    /// Then new keys and strings are in double quotes, too.
    let isJSON: Bool

    init(_ document: Document) {
        if let first = document.bytes.firstIndex(where: \.isLineBreak) {
            let isPair =
                document.bytes[first] == .carriageReturn
                && document.bytes.dropFirst(first + 1).first == .lineFeed
            lineBreak = isPair ? [.carriageReturn, .lineFeed] : [document.bytes[first]]
        } else {
            lineBreak = [.lineFeed]
        }
        // An indentation indicator has only one digit.
        let step = Self.step(of: document.root) ?? 2
        self.step = (1...9).contains(step) ? step : 2
        if case .mapping(.flow, let entries) = document.root.shape {
            isJSON =
                !entries.isEmpty
                && entries.allSatisfy { document.bytes[$0.keyRange.lowerBound] == UInt8(ascii: "\"") }
        } else {
            isJSON = false
        }
    }

    private static func step(of root: Node) -> Int? {
        guard case .mapping(.block, let entries) = root.shape else { return nil }
        for entry in entries {
            guard case .mapping(.block, let nested) = entry.value.shape, let first = nested.first else {
                continue
            }
            return first.indentation - entry.indentation
        }
        return nil
    }
}

/// Replacements of ranges in a text; the ranges must not overlap.
struct Splices {
    private var splices: [(range: Range<Int>, text: [UInt8])] = []

    var isEmpty: Bool { splices.isEmpty }

    /// Replaces a range.
    ///
    /// Texts for the same offset keep the order of the calls.
    mutating func replace(_ range: Range<Int>, with text: [UInt8]) {
        if !range.isEmpty || !text.isEmpty { splices.append((range, text)) }
    }

    mutating func insert(_ text: [UInt8], at position: Int) {
        replace(position..<position, with: text)
    }

    mutating func delete(_ range: Range<Int>) {
        replace(range, with: [])
    }

    /// Returns whether a replacement ends at an offset.
    func reach(_ end: Int) -> Bool {
        splices.contains { $0.range.upperBound == end }
    }

    /// Returns the text after all replacements; nil if any of them overlap.
    func applied(to bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let order = splices.indices.sorted { left, right in
            let (first, second) = (splices[left].range, splices[right].range)
            return (first.lowerBound, first.upperBound, left) < (second.lowerBound, second.upperBound, right)
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        for index in order {
            let (range, text) = splices[index]
            guard range.lowerBound >= position else { return nil }
            result += bytes[position..<range.lowerBound]
            result += text
            position = range.upperBound
        }
        result += bytes[position...]
        return result
    }
}
