/// A node of a document's tree: its value and the range of its bytes.
package struct Node: Sendable {
    /// The value, with aliases expanded.
    package let value: Value
    package let shape: Shape
    /// The node's bytes, from its first character, including an anchor or a tag, to the end of its last one.
    ///
    /// The range of a block scalar ends after the last line that belongs to it. The range of an empty node is
    /// empty; it is after the `:` or `-`, or after the key if there is no `:`.
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
        /// They go from the line of its key, or of the `?` before it, to the last line of its value with the
        /// comment after it, and include the following comment lines that are indented more than its key.
        /// Comments and blank lines before the key are not part of the entry. The first entry of a mapping in
        /// a sequence shares its first line with the `-`. In flow style these are the entry's own bytes, from
        /// key to value.
        package let lines: Range<Int>
        /// The column of the key, or of the `?` before it, counted in bytes from 0; 0 in flow style.
        package let indentation: Int
    }

    /// An element of a sequence.
    package struct Item: Sendable {
        package let value: Node
        /// The item's whole lines in block style, as with ``Entry/lines``; in flow style its own bytes.
        package let lines: Range<Int>
        /// The column of the `-`, counted in bytes from 0; 0 in flow style.
        package let indentation: Int
    }
}
