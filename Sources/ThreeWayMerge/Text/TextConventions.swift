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
