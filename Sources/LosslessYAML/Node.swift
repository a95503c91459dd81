/// A node of a document's tree: its value and where its bytes are.
package struct Node: Sendable {
    /// The value; aliases are expanded.
    package let value: Value
    package let shape: Shape
    /// The node's bytes, from its first character (an anchor or a tag included) to behind its last one.
    ///
    /// Of a block scalar to behind the last line that belongs to it; of an empty node an empty range behind
    /// the `:` or `-`, or behind the key if there is no `:`.
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
        /// The entry's whole lines in block style, line breaks included.
        ///
        /// They go from the line of its key, or of the `?` before it, to the last line of its value with the
        /// comment behind it, and the comment lines after it that are indented more than its key. Comments
        /// and blank lines before the key are not part of it. The first entry of a mapping in a sequence
        /// shares its first line with the `-`. In flow style these are the entry's own bytes, from key to
        /// value.
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
