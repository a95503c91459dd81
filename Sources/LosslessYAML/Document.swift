/// A YAML file's text and its tree, in which every node knows the range of its bytes.
///
/// A document is one mapping in UTF-8. The rules of ``YAMLError/Reason`` limit what it can contain.
package struct Document: Sendable {
    /// The whole text, including its byte order mark if it has one.
    package let bytes: [UInt8]
    /// The document's top mapping.
    package let root: Node
    /// The document's anchors and aliases; nil for a text that ``SimpleReader`` has read, as it has none.
    private let anchors: References?

    /// Whether the text has the form that ``SimpleReader`` reads.
    var isSimple: Bool { anchors == nil }

    /// The document's anchors and aliases.
    var references: References { anchors ?? References() }

    /// The top-level fields, in the order of the text.
    package var fields: Mapping {
        guard case .mapping(let mapping) = root.value else { preconditionFailure("a document is a mapping") }
        return mapping
    }

    /// Reads a text.
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
