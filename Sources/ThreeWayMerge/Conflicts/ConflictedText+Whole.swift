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
    /// The lines that must precede the `id` line: directives, `---`, and the anchor and tag of the mapping.
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
        let headEnd = Self.headEnd(of: document, entries)
        head = Array(lines[..<headEnd])
        id = Array(lines[entry.lines])
        // The id comes before the anchor that its alias refers to.
        if case .alias = entry.value.shape {
            id = emit([entry.key: entry.value.value]).converted(to: conventions.mergedEnding)
        }
        rest = Array(lines[headEnd..<entry.lines.lowerBound] + lines[entry.lines.upperBound...])
    }

    /// Returns the offset after the last `---` line and the lines with the root's anchor and tag; 0 if there
    /// are neither.
    private static func headEnd(of document: Document, _ entries: [Node.Entry]) -> Int {
        guard let first = entries.first else { return 0 }
        let start = first.lines.lowerBound
        let head = Array(document.bytes[..<start])
        return lineRanges(head).last { line in
            let isContent = ![UInt8(ascii: "#"), LineEnding.lf, LineEnding.cr].contains(
                head[line].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? LineEnding.lf)
            return isContent && line.upperBound > document.root.range.lowerBound
                || head[line].starts(with: "---".utf8)
        }?.upperBound ?? 0
    }
}
