/// The text and the tree of a YAML file, with the byte range of every node.
///
/// The text is UTF-8 with a single mapping. ``YAMLError/Reason`` lists the other limits.
package struct Document: Sendable {
    /// The whole text, including any byte order mark.
    package let bytes: [UInt8]
    /// The document's root mapping.
    package let root: Node
    /// The anchors and aliases; nil if ``SimpleReader`` read the text, because such a text can't have any.
    private let anchors: References?

    /// Whether ``SimpleReader`` can read the text; then all keys are ASCII, and no mapping is nested.
    package var isSimple: Bool { anchors == nil }

    /// The document's anchors and aliases.
    var references: References { anchors ?? References() }

    /// The top-level fields, in the order of the text.
    package var fields: Mapping {
        guard case .mapping(let mapping) = root.value else { preconditionFailure("a document is a mapping") }
        return mapping
    }

    /// The maximum size of a text in bytes.
    package static let maximumSize = Limits.bytes

    /// The maximum number of keys and values in a text with aliases, once they are expanded.
    package static let maximumNodeCount = Limits.expandedNodes

    /// Whether the text has aliases.
    package var hasAliases: Bool { anchors?.hasAliases ?? false }

    /// Parses a text.
    ///
    /// - Throws: The first problem, with its position.
    package init(parsing bytes: [UInt8]) throws(YAMLError) {
        (root, anchors) = try bytes.withUnsafeBufferPointer { buffer throws(YAMLError) in
            let scan = try TextScan(buffer)
            if let root = SimpleReader.read(buffer, scan) { return (root, nil) }
            var builder = TreeBuilder(buffer, scan)
            let root = try builder.buildDocument()
            return (root, builder.references)
        }
        self.bytes = bytes
    }
}

extension Mapping {
    /// The number of keys and values, counting the mapping itself and everything inside.
    package var nodeCount: Int { entries.reduce(1) { $0 + 1 + $1.value.nodeCount } }
}

extension Value {
    fileprivate var nodeCount: Int {
        switch self {
        case .null, .bool, .number, .string: 1
        case .list(let list): list.reduce(1) { $0 + $1.nodeCount }
        case .mapping(let mapping): mapping.nodeCount
        }
    }
}
