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

/// A node of a document's tree, with its value and its byte range.
package struct Node: Sendable {
    /// The value, with aliases expanded.
    package let value: Value
    package let shape: Shape
    /// The node's bytes: from its first character, anchor or tag to the end of its last character.
    ///
    /// A block scalar ends after its last line. An empty node has an empty range after the `:` or `-`, or
    /// after the key if there is no `:`.
    package let range: Range<Int>

    package enum Shape: Sendable {
        case scalar(ScalarStyle)
        case alias
        case sequence(CollectionStyle, [Item])
        case mapping(CollectionStyle, [Entry])
    }

    package enum ScalarStyle: Sendable {
        case plain, singleQuoted, doubleQuoted, literal, folded
    }

    package enum CollectionStyle: Sendable {
        case block, flow
    }

    /// A key and its value in a mapping.
    package struct Entry: Sendable {
        package let key: String
        package let keyRange: Range<Int>
        package let value: Node
        /// The entry's whole lines in block style, including line breaks.
        ///
        /// The range begins with the line of the key, or of the `?` before it, and ends with the last line of
        /// the value. It includes the comment on that last line and the following comment lines that are
        /// indented more than the key, but no comments or blank lines before the key. The first entry of a
        /// mapping in a sequence shares its first line with the `-`. In flow style, the range has the entry's
        /// own bytes, from key to value.
        package let lines: Range<Int>
        /// The column of the key, or of the `?` before it, in bytes from 0; always 0 in flow style.
        package let indentation: Int
    }

    /// An element of a sequence.
    package struct Item: Sendable {
        package let value: Node
        /// The item's whole lines in block style, as in ``Entry/lines``; the item's own bytes in flow style.
        package let lines: Range<Int>
        /// The column of the `-`, in bytes from 0; always 0 in flow style.
        package let indentation: Int
    }
}

/// The limits of a document.
enum Limits {
    static let bytes = 1 << 20
    static let depth = 64
    static let expandedNodes = 100_000
    static let keyLength = 1...255
    /// The maximum number of directives before a document, because libyaml compares each directive with all
    /// the others.
    static let directives = 16
    /// The maximum number of digits in a hexadecimal or octal integer, because converting them takes
    /// quadratic time.
    static let radixDigits = 10_000
}

/// The anchors and aliases of a document, by the offset of their node or key.
///
/// Anchors are numbered, because later nodes can use the same name again.
struct References: Sendable {
    var anchorsOfNodes: [Int: Int] = [:]
    var anchorsOfKeys: [Int: Int] = [:]
    var aliasesOfNodes: [Int: Int] = [:]
    var aliasesOfKeys: [Int: Int] = [:]

    /// Whether an edit of one value can change another value.
    var hasAliases: Bool { !aliasesOfNodes.isEmpty || !aliasesOfKeys.isEmpty }

    /// The offset of the last alias; nil if there are no aliases.
    var lastAlias: Int? { [aliasesOfNodes.keys.max(), aliasesOfKeys.keys.max()].compactMap(\.self).max() }
}

/// Checks the bytes of a text before it is parsed as YAML.
///
/// libyaml treats U+0085, U+2028 and U+2029 as line breaks, which would let a comment hide a field. The check
/// rejects these characters and all other characters that YAML forbids.
struct TextScan {
    /// Whether byte offsets equal character indices.
    let isASCII: Bool
    /// Whether the text has neither tabs nor carriage returns.
    let hasNoControlsButLineFeeds: Bool

    /// Checks a text.
    ///
    /// - Throws: ``YAMLError/Reason/tooLarge``, ``YAMLError/Reason/isUTF16``,
    ///   ``YAMLError/Reason/notUTF8``, ``YAMLError/Reason/controlCharacter(_:)``.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
        guard bytes.count <= Limits.bytes else { throw YAMLError(.tooLarge, at: 0, in: bytes) }
        if bytes.isUTF16 { throw YAMLError(.isUTF16, at: 0, in: bytes) }
        var isASCII = true
        var hasNoControlsButLineFeeds = true
        var position = bytes.lengthOfByteOrderMark
        while position < bytes.count {
            if let eight = EightBytes(bytes, at: position) {
                let matches = eight.others | eight.controls | eight.matches(of: 0x7F)
                position += EightBytes.count(before: matches)
                if matches == 0 { continue }
            }
            let byte = bytes[position]
            if byte < 0x80 {
                guard byte >= 0x20 && byte != 0x7F || byte.isLineBreak || byte == .tab else {
                    throw YAMLError(.controlCharacter(UInt32(byte)), at: position, in: bytes)
                }
                if byte < 0x20, byte != .lineFeed { hasNoControlsButLineFeeds = false }
                position += 1
            } else {
                isASCII = false
                guard let (scalar, length) = bytes.decodeMultibyteScalar(at: position) else {
                    throw YAMLError(.notUTF8, at: position, in: bytes)
                }
                guard scalar.isPrintable else {
                    throw YAMLError(.controlCharacter(scalar.value), at: position, in: bytes)
                }
                position += length
            }
        }
        self.isASCII = isASCII
        self.hasNoControlsButLineFeeds = hasNoControlsButLineFeeds
    }
}
