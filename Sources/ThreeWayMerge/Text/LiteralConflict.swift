import LosslessYAML

/// A conflict in a string that is in literal style (`|`) on both sides, so that markers can enclose
/// individual lines.
struct LiteralConflict {
    private let local: LiteralText
    private let remote: LiteralText

    /// Creates the conflict; nil unless both values are literal block scalars with the same header and
    /// indentation.
    init?(local: Section, remote: Section) {
        guard let localText = LiteralText(local), let remoteText = LiteralText(remote),
            localText.header == remoteText.header, localText.indentation == remoteText.indentation
        else { return nil }
        self.local = localText
        self.remote = remoteText
    }

    /// Returns the entry's lines, with blocks for the lines in conflict.
    ///
    /// - Parameter merge: The merge of the strings. Each side's text has that side's version.
    func pieces(_ merge: LineMerge, hasBase: Bool) -> [ConflictedText.Piece]? {
        var pieces: [ConflictedText.Piece] = [.text(Array(local.header))]
        var localDone = 0
        var remoteDone = 0
        for chunk in merge.chunks {
            let counts =
                switch chunk {
                case .taken(_, let range): (local: range.count, remote: range.count)
                case .conflict(let ranges): (local: ranges.local.count, remote: ranges.remote.count)
                }
            guard localDone + counts.local <= local.lines.count,
                remoteDone + counts.remote <= remote.lines.count
            else {
                return nil
            }
            let localLines = Array(local.lines[localDone..<localDone + counts.local].joined())
            let remoteLines = Array(remote.lines[remoteDone..<remoteDone + counts.remote].joined())
            if case .conflict(let ranges) = chunk {
                let base = hasBase ? merge.lines.base[ranges.base].flatMap(local.written) : nil
                pieces.append(
                    .block(ConflictedText.Block(local: localLines, base: base, remote: remoteLines)))
            } else {
                pieces.append(.text(localLines))
            }
            localDone += counts.local
            remoteDone += counts.remote
        }
        guard localDone == local.lines.count, remoteDone == remote.lines.count else { return nil }
        return pieces + [.text(Array(local.trailing))]
    }
}

/// The lines of an entry whose value is a literal block scalar.
private struct LiteralText {
    /// The line with the key and the `|`.
    let header: ArraySlice<UInt8>
    /// The number of spaces in front of the content.
    let indentation: Int
    /// The content, with one line of text for each line of the string.
    let lines: [ArraySlice<UInt8>]
    /// The text after the content.
    let trailing: ArraySlice<UInt8>

    init?(_ section: Section) {
        guard case .scalar(.literal) = section.node.shape, case .string(let string) = section.node.value
        else {
            return nil
        }
        let text = Array(section.lines)
        let nodeStart = section.node.range.lowerBound - section.lines.startIndex
        let ranges = lineRanges(text)
        guard let first = ranges.firstIndex(where: { $0.contains(nodeStart) }) else { return nil }
        let content = Array(string.utf8)
        let values = lineRanges(content).map { content[$0].withoutLineBreak }
        let written = ranges.dropFirst(first + 1).prefix(values.count).map { text[$0] }
        guard written.count == values.count else { return nil }
        let indentations = zip(written, values).filter { !$1.isEmpty }.map {
            $0.withoutLineBreak.count - $1.count
        }
        guard let indentation = indentations.first, indentation > 0 else { return nil }
        for (line, value) in zip(written, values) {
            let line = line.withoutLineBreak
            guard line.prefix(indentation).allSatisfy({ $0 == UInt8(ascii: " ") }),
                line.dropFirst(indentation) == value
            else { return nil }
        }
        header = text[..<ranges[first].upperBound]
        self.indentation = indentation
        lines = written
        trailing = text[(written.last?.endIndex ?? ranges[first].upperBound)...]
    }

    /// Returns a line of the string as written in the block scalar, with the header's line break.
    func written(_ line: ArraySlice<UInt8>) -> [UInt8] {
        let content = line.withoutLineBreak
        let lineBreak = header.suffix(header.count - header.withoutLineBreak.count)
        return (content.isEmpty ? [] : [UInt8](repeating: UInt8(ascii: " "), count: indentation)) + content
            + lineBreak
    }
}

extension ArraySlice<UInt8> {
    fileprivate var withoutLineBreak: ArraySlice<UInt8> {
        var line = self
        if line.last == LineEnding.lf { line.removeLast() }
        if line.last == LineEnding.cr { line.removeLast() }
        return line
    }
}
