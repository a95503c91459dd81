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
