/// A literal block scalar at the end of a file without a last line break.
///
/// Its value has no line break at its end, but would have one if the file did. So the header is changed to
/// `|-` while texts are merged, and restored if the literal is still the last value after the merge.
struct UnendedLiteral {
    private let originalEnd: ArraySlice<UInt8>
    private let preparedEnd: ArraySlice<UInt8>

    /// Compares the end of a file with the end prepared for merging; nil if at most a line break was
    /// added.
    init?(original: [UInt8], prepared: @autoclosure () -> [UInt8]) {
        guard let last = original.last, last != LineEnding.lf, last != LineEnding.cr else { return nil }
        let hasMark = original.starts(with: TextConventions.byteOrderMark)
        let original = hasMark ? original.dropFirst(TextConventions.byteOrderMark.count) : original[...]
        let prepared = prepared().withoutLastLineBreak
        guard !original.elementsEqual(prepared) else { return nil }
        let same = zip(original, prepared).prefix { $0 == $1 }.count
        let lineStart = prepared[..<same].lastIndex(of: LineEnding.lf).map { $0 + 1 } ?? 0
        originalEnd = original.dropFirst(lineStart)
        preparedEnd = prepared[lineStart...]
    }

    /// Returns the text with the file's original end; nil if the text doesn't end with the prepared end.
    func restored(in text: ConflictedText) -> ConflictedText? {
        guard case .text(let bytes)? = text.pieces.last, bytes.suffix(preparedEnd.count) == preparedEnd else {
            return nil
        }
        let start = bytes.count - preparedEnd.count
        guard start == 0 || bytes[start - 1] == LineEnding.lf else { return nil }
        return ConflictedText(pieces: text.pieces.dropLast() + [.text(Array(bytes[..<start]) + originalEnd)])
    }
}
