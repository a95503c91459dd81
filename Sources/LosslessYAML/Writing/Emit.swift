/// Returns the text of a new file with the given fields.
///
/// The text is in block style with LF line breaks. Short lists of scalars are in brackets, and strings with
/// line breaks are literal block scalars. Strings are quoted only if they would have a different value
/// without quotes. Parsing the text returns the same mapping.
package func emit(_ mapping: Mapping) -> [UInt8] {
    guard !mapping.isEmpty else { return Array("{}\n".utf8) }
    var writer = BlockWriter(blockScalars: .all)
    writer.write(mapping, indentation: 0)
    return writer.output
}
