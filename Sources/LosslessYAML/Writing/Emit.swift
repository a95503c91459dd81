/// Returns the text of a new file with these fields.
///
/// The text is in block style, with LF as line break. Short lists of scalars are in brackets, and strings
/// with line breaks are literal blocks. A string is in quotes only if it would be read as something else
/// without them. Reading the text gives the same mapping.
package func emit(_ mapping: Mapping) -> [UInt8] {
    guard !mapping.isEmpty else { return Array("{}\n".utf8) }
    var writer = BlockWriter(blockScalars: .all)
    writer.write(mapping, indentation: 0)
    return writer.output
}
