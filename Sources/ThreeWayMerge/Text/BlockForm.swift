import LosslessYAML

extension TextConventions {
    /// Returns the document with its root mapping in block style, with each field on its own lines.
    func inBlockForm(_ document: Document) -> Document {
        guard case .mapping(.flow, let entries) = document.root.shape, !entries.isEmpty else {
            return document
        }
        let block = withoutInnerComments(document, entries)
        return (try? Document(parsing: block.addingComments(of: document))) ?? block
    }

    private func withoutInnerComments(_ document: Document, _ entries: [Node.Entry]) -> Document {
        let before = document.bytes[..<document.root.range.lowerBound].trimmed
        let after = document.bytes[document.root.range.upperBound...].trimmed.withoutFirstLineBreak
        for lines in [entries.map { $0.onOneLine(of: document.bytes) }, entries.map(\.emitted)] {
            let text = [Array(before)] + lines + [Array(after)]
            let bytes = Array(
                text.filter { !$0.isEmpty }.map { $0.endsWithWholeLine ? $0 : $0 + [LineEnding.lf] }.joined())
            if let result = try? Document(parsing: bytes.converted(to: mergedEnding)),
                result.fields == document.fields
            {
                return result
            }
        }
        return (try? Document(parsing: emit(document.fields).converted(to: mergedEnding))) ?? document
    }
}

extension Node.Entry {
    /// Returns the entry as a line in block style.
    ///
    /// The entry keeps its spelling unless it spans several lines.
    fileprivate func onOneLine(of bytes: [UInt8]) -> [UInt8] {
        let key = bytes[keyRange]
        let value = bytes[self.value.range]
        guard !key.contains(LineEnding.lf), !value.contains(LineEnding.lf) else { return emitted }
        return key + Array(": ".utf8) + value
    }

    fileprivate var emitted: [UInt8] { emit([key: value.value]) }
}

extension ArraySlice<UInt8> {
    /// The text without blanks at its beginning and end.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// The text without a line break at its beginning.
    fileprivate var withoutFirstLineBreak: ArraySlice<UInt8> {
        let bytes = first == LineEnding.cr ? dropFirst() : self
        return bytes.first == LineEnding.lf ? bytes.dropFirst() : bytes
    }
}
