import LosslessYAML

/// The conventions of a file that its merged text follows: the byte order mark, the line ending, and a
/// missing line break at the end.
///
/// Texts are merged without a byte order mark, with whole lines, and with the line ending of the local file.
struct TextConventions {
    private let hasByteOrderMark: Bool
    private let ending: LineEnding
    private let lacksLastLineBreak: Bool

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(of bytes: [UInt8]) {
        hasByteOrderMark = bytes.starts(with: Self.byteOrderMark)
        ending = LineEnding(mostUsedIn: bytes)
        lacksLastLineBreak = bytes.last != LineEnding.lf && bytes.last != LineEnding.cr
    }

    /// Returns a document with the same fields, in a form that can be merged by lines and with its root
    /// mapping in block style.
    func prepare(_ document: Document, keepingLineEndings keepsLineEndings: Bool = false) -> Document {
        var bytes = document.bytes
        if bytes.starts(with: Self.byteOrderMark) { bytes.removeFirst(Self.byteOrderMark.count) }
        if !keepsLineEndings || bytes.hasLoneCarriageReturn { bytes = bytes.converted(to: mergedEnding) }
        if !bytes.endsWithWholeLine { bytes += mergedEnding.bytes }
        return inBlockForm(document.withText(bytes))
    }

    /// Returns the pieces as a text that follows the file's conventions.
    func restore(_ pieces: [ConflictedText.Piece], isValid: (ConflictedText) -> Bool) -> ConflictedText {
        var text = ConflictedText(pieces: pieces)
        if lacksLastLineBreak {
            let shortened = text.withoutLastLineBreak
            // The last line break might be part of a value.
            if isValid(shortened) { text = shortened }
        }
        if ending == .carriageReturn, text.blocks.isEmpty {
            text.pieces = text.pieces.map { piece in
                if case .text(let bytes) = piece { .text(bytes.converted(to: ending)) } else { piece }
            }
        }
        if hasByteOrderMark { text.pieces.insert(.text(Self.byteOrderMark), at: 0) }
        return ConflictedText(joining: text.pieces)
    }

    /// The line ending to use while merging.
    ///
    /// Markers are at the beginning of a line, and no current editor treats a lone carriage return as a line
    /// break.
    var mergedEnding: LineEnding { ending == .carriageReturn ? .lineFeed : ending }
}

extension Document {
    /// Returns the document for a changed text, with this document's fields.
    ///
    /// If changed line breaks changed a value, the text is edited to have the old value.
    fileprivate func withText(_ text: [UInt8]) -> Document {
        if text == bytes { return self }
        guard let document = try? Document(parsing: text) else { return self }
        return document.edited(to: fields) ?? self
    }
}

extension [UInt8] {
    fileprivate var hasLoneCarriageReturn: Bool {
        indices.contains {
            self[$0] == LineEnding.cr && ($0 + 1 == count || self[$0 + 1] != LineEnding.lf)
        }
    }
}

extension TextConventions {
    /// Returns the document with its root mapping in block style, with each field on its own lines.
    private func inBlockForm(_ document: Document) -> Document {
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
