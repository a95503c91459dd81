extension ConflictedText {
    /// Returns the text with conflict markers around the blocks, with the text's own line endings.
    ///
    /// If the text's last line is in a block and has no line break, the line gets a line break and the last
    /// marker doesn't. ``read(_:)`` recognizes this.
    package func text(style: ConflictStyle, labels: MarkerLabels = MarkerLabels()) -> [UInt8] {
        let lineBreak = lineBreak
        var bytes: [UInt8] = []
        for (position, piece) in pieces.enumerated() {
            switch piece {
            case .text(let text):
                bytes += text
            case .block(let block):
                // If the sides were equal, nothing would be left between the markers, and a last line without
                // a line break would run into a marker.
                if style == .zdiff3, block.local != block.remote {
                    let (before, block, after) = block.withoutSharedLines
                    bytes += before
                    bytes += block.withMarkers(style, labels, lineBreak: lineBreak)
                    bytes += after
                } else {
                    bytes += block.withMarkers(style, labels, lineBreak: lineBreak)
                }
                let isLast = position == pieces.count - 1
                if isLast, block.lacksLastLineBreak { bytes = bytes.withoutLastLineBreak }
            }
        }
        return bytes
    }

    /// The first line break of the text, which the markers use, too.
    var lineBreak: [UInt8] {
        for piece in pieces {
            let texts =
                switch piece {
                case .text(let text): [text]
                case .block(let block): [block.local, block.remote, block.base ?? []]
                }
            for text in texts {
                guard let position = text.firstIndex(of: LineEnding.lf) else { continue }
                let hasReturn = position > 0 && text[position - 1] == LineEnding.cr
                return hasReturn ? LineEnding.carriageReturnLineFeed.bytes : LineEnding.lineFeed.bytes
            }
        }
        return LineEnding.lineFeed.bytes
    }
}

extension ConflictedText.Block {
    fileprivate var lacksLastLineBreak: Bool {
        let ends = [local, remote].filter { !$0.isEmpty }
        return !ends.isEmpty && ends.allSatisfy { !$0.endsWithWholeLine }
    }

    fileprivate func withMarkers(
        _ style: ConflictStyle, _ labels: MarkerLabels, lineBreak: [UInt8]
    ) -> [UInt8] {
        func wholeLines(_ lines: [UInt8]) -> [UInt8] { lines.endsWithWholeLine ? lines : lines + lineBreak }
        var bytes = ConflictMarker.local.line(labels) + lineBreak + wholeLines(local)
        if style != .merge, let base {
            bytes += ConflictMarker.base.line(labels) + lineBreak + wholeLines(base)
        }
        bytes += ConflictMarker.separator.line(labels) + lineBreak + wholeLines(remote)
        return bytes + ConflictMarker.remote.line(labels) + lineBreak
    }

    /// The lines that local and the remote both begin with, the block without shared lines, and the lines
    /// that both end with.
    var withoutSharedLines: (before: [UInt8], block: ConflictedText.Block, after: [UInt8]) {
        let localLines = lineRanges(local).map { local[$0] }
        let remoteLines = lineRanges(remote).map { remote[$0] }
        let most = min(localLines.count, remoteLines.count)
        var first = 0
        while first < most, localLines[first] == remoteLines[first] { first += 1 }
        var last = 0
        while last < most - first,
            localLines[localLines.count - 1 - last] == remoteLines[remoteLines.count - 1 - last]
        { last += 1 }
        let block = ConflictedText.Block(
            local: Array(localLines[first..<localLines.count - last].joined()), base: base,
            remote: Array(remoteLines[first..<remoteLines.count - last].joined()))
        return (
            Array(localLines[..<first].joined()), block,
            Array(localLines[(localLines.count - last)...].joined())
        )
    }
}

/// The four lines that mark a conflict, as git writes them.
enum ConflictMarker: CaseIterable {
    case local, base, separator, remote

    static let length = 7
    /// The minimum length of a marker; shorter runs of these characters are too common to be markers.
    static let shortestLength = 4

    var byte: UInt8 {
        switch self {
        case .local: UInt8(ascii: "<")
        case .base: UInt8(ascii: "|")
        case .separator: UInt8(ascii: "=")
        case .remote: UInt8(ascii: ">")
        }
    }

    /// Returns the marker's line, without its line break.
    func line(_ labels: MarkerLabels) -> [UInt8] {
        let run = [UInt8](repeating: byte, count: Self.length)
        return switch self {
        case .local: run + Array(" local".utf8) + labels.local.inParentheses
        case .base: run + Array(" base".utf8) + labels.base.inParentheses
        case .separator: run
        case .remote: run + Array(" remote".utf8) + labels.remote.inParentheses
        }
    }

    /// Parses a line with a marker: seven equal characters, then the end of the line, or a space and any
    /// text; nil for any other line.
    init?(line: ArraySlice<UInt8>) {
        guard let (marker, length) = Self.ofAnyLength(line: line), length == Self.length else { return nil }
        self = marker
    }

    /// Parses a line with a marker of at least ``shortestLength`` characters; nil for any other line.
    static func ofAnyLength(line: ArraySlice<UInt8>) -> (marker: ConflictMarker, length: Int)? {
        guard let first = line.first, let marker = allCases.first(where: { $0.byte == first }) else {
            return nil
        }
        let rest = line.drop { $0 == first }
        let length = line.count - rest.count
        guard length >= shortestLength, rest.isEmpty || rest.first == UInt8(ascii: " ") else { return nil }
        return (marker, length)
    }
}

extension String? {
    /// A space and the text in parentheses; empty if the text is nil.
    fileprivate var inParentheses: [UInt8] { map { Array(" (\($0))".utf8) } ?? [] }
}

/// The lines that conflict markers enclose, as in git's `merge.conflictStyle`.
package enum ConflictStyle: String, Sendable, CaseIterable {
    /// The local and the remote lines.
    case merge
    /// The local, the base and the remote lines.
    case diff3
    /// Like ``diff3``, but lines that both sides begin or end with are outside the markers.
    case zdiff3
}

/// The labels in parentheses after the words *local*, *base* and *remote* on conflict markers.
///
/// Parsing a marker ignores its label.
package struct MarkerLabels: Sendable, Hashable {
    /// The source of the local lines, on one line; nil for no label.
    package var local: String?
    /// The source of the base's lines, on one line; nil for no label.
    package var base: String?
    /// The source of the remote lines, on one line; nil for no label.
    package var remote: String?

    /// Creates labels, which must not contain control characters.
    package init(local: String? = nil, base: String? = nil, remote: String? = nil) {
        self.local = local
        self.base = base
        self.remote = remote
    }
}
