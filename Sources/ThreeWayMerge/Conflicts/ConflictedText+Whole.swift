import LosslessYAML

extension ConflictedText {
    /// Returns a conflict about the whole text of a todo that one side deleted, except its `id` line.
    ///
    /// The `id` line moves to the top of the text. The side that deleted the todo is nil.
    package static func whole(local: [UInt8]?, base: [UInt8]?, remote: [UInt8]?) -> ConflictedText {
        guard let model = local ?? remote ?? base else { return ConflictedText(pieces: []) }
        let conventions = TextConventions(of: model)
        let texts = Sides(base: base, local: local, remote: remote).map { bytes in
            bytes.map { TextAroundID($0, conventions) }
        }
        guard let first = texts.local ?? texts.remote ?? texts.base else { return ConflictedText(pieces: []) }
        let block = Block(
            local: texts.local?.rest ?? [], base: texts.base?.rest, remote: texts.remote?.rest ?? [])
        return conventions.restore([.text(first.head + first.id), .block(block)]) { _ in true }
    }
}

/// A todo's text without its `id` line.
private struct TextAroundID {
    /// The lines that must precede the `id` line: directives and `---`.
    var head: [UInt8] = []
    var id: [UInt8] = []
    var rest: [UInt8]

    init(_ bytes: [UInt8], _ conventions: TextConventions) {
        guard
            let document = (try? Document(parsing: bytes)).map({
                conventions.prepare($0).withoutMarkerLines()
            }),
            case .mapping(_, let entries) = document.root.shape,
            let entry = entries.first(where: { $0.key.isSameBytes(as: "id") })
        else {
            rest = bytes
            return
        }
        let lines = document.bytes
        let headEnd = Self.headEnd(lines[..<entry.lines.lowerBound])
        head = Array(lines[..<headEnd])
        id = Array(lines[entry.lines])
        rest = Array(lines[headEnd..<entry.lines.lowerBound] + lines[entry.lines.upperBound...])
    }

    /// Returns the offset after the last `---` line; 0 if there isn't one.
    private static func headEnd(_ lines: ArraySlice<UInt8>) -> Int {
        let ranges = lineRanges(Array(lines))
        return ranges.last { lines[$0].starts(with: "---".utf8) }?.upperBound ?? 0
    }
}
