/// Returns the text of a new file with these fields.
///
/// Block style, LF as line break; short lists of scalars in brackets, strings with line breaks as literal
/// blocks, quotes only where a string would be taken for something else. Reading it back gives the mapping.
package func emit(_ mapping: Mapping) -> [UInt8] {
    guard !mapping.isEmpty else { return Array("{}\n".utf8) }
    var writer = BlockWriter(blockScalars: .all)
    writer.write(mapping, indentation: 0)
    return writer.output
}
