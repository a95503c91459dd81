import LosslessYAML

extension ConflictedText {
    /// Parses the conflict markers in a text, as todosync and git write them; returns nil if there aren't
    /// any.
    ///
    /// A marker is at the beginning of a line: seven characters, then the end of the line, or a space and any
    /// text.
    ///
    /// - Throws: A ``MarkerError`` if the markers don't enclose conflicts.
    package static func read(_ bytes: [UInt8]) throws(MarkerError) -> ConflictedText? {
        guard mayHaveMarkers(bytes) else { return nil }
        var reader = MarkerReader()
        if bytes.starts(with: TextConventions.byteOrderMark) { reader.takeByteOrderMark() }
        for line in Line.all(in: bytes) { try reader.take(line) }
        return try reader.finish()
    }

    /// Returns an error for a conflict whose markers don't have seven characters; nil if there isn't one.
    ///
    /// Git writes such markers if the attribute `conflict-marker-size` sets a different length, and jj writes
    /// them if a side contains markers itself.
    package static func markersOfOtherLength(in bytes: [UInt8]) -> MarkerError? {
        guard mayHaveMarkers(bytes, length: ConflictMarker.shortestLength) else { return nil }
        var begun: (length: Int, line: Int)?
        var isSeparated = false
        for line in Line.all(in: bytes) {
            guard let (marker, length) = ConflictMarker.ofAnyLength(line: line.content) else { continue }
            switch marker {
            case .local where length != ConflictMarker.length:
                // jj separates the sides with different lines, and makes all markers longer than seven
                // characters.
                (begun, isSeparated) = ((length, line.number), length > ConflictMarker.length)
            case .separator where length == begun?.length: isSeparated = true
            case .remote where length == begun?.length && isSeparated:
                return begun.map { MarkerError(reason: .otherLength($0.length), line: $0.line) }
            case .local, .base, .separator, .remote: continue
            }
        }
        return nil
    }

    /// Returns the number of the first line with a conflict marker, counted from 1; nil if there isn't one.
    ///
    /// The markers don't have to enclose conflicts.
    package static func firstMarkerLine(in bytes: [UInt8]) -> Int? {
        guard mayHaveMarkers(bytes) else { return nil }
        return Line.all(in: bytes).first { $0.marker != nil }?.number
    }

    /// Returns the labels of the first conflict's markers: the text after the seven characters and the space,
    /// or an empty string.
    package static func labels(in bytes: [UInt8]) -> (local: String, remote: String) {
        let lines = Line.all(in: bytes)
        func label(_ marker: ConflictMarker) -> String {
            guard let line = lines.first(where: { $0.marker == marker }) else { return "" }
            return String(decoding: line.content.dropFirst(ConflictMarker.length + 1), as: UTF8.self)
        }
        return (label(.local), label(.remote))
    }

    /// Returns whether any line begins like a marker and needs a closer look.
    ///
    /// Most files have no such line. A lone carriage return begins a line here, too, which only makes more
    /// texts need that look.
    private static func mayHaveMarkers(_ bytes: [UInt8], length: Int = ConflictMarker.length) -> Bool {
        let starts = ConflictMarker.allCases.map(\.byte)
        return bytes.withUnsafeBufferPointer { bytes in
            var line =
                bytes.starts(with: TextConventions.byteOrderMark) ? TextConventions.byteOrderMark.count : 0
            while line + length <= bytes.count {
                if starts.contains(bytes[line]), bytes[line + length - 1] == bytes[line] { return true }
                line = bytes.startOfNextLine(from: line)
            }
            return false
        }
    }
}

private struct Line {
    var marker: ConflictMarker?
    /// The line with its line break, but without a byte order mark.
    var bytes: ArraySlice<UInt8>
    /// The line without its line break.
    var content: ArraySlice<UInt8>
    var number: Int

    var hasLineBreak: Bool { bytes.last == LineEnding.lf }

    static func all(in bytes: [UInt8]) -> [Line] {
        // For an editor, the first line begins after the byte order mark.
        let mark = TextConventions.byteOrderMark
        let start = bytes.starts(with: mark) ? mark.count : 0
        return lineRanges(bytes).enumerated().compactMap { number, range in
            let range = max(range.lowerBound, start)..<range.upperBound
            guard !range.isEmpty else { return nil }
            var content = bytes[range]
            if content.last == LineEnding.lf { content.removeLast() }
            if content.last == LineEnding.cr { content.removeLast() }
            return Line(
                marker: ConflictMarker(line: content), bytes: bytes[range], content: content,
                number: number + 1)
        }
    }
}

/// Collects lines into pieces, and throws an error for markers that are out of order.
private struct MarkerReader {
    private enum Section {
        case text
        case side(ConflictMarker, ConflictedText.Block, start: Int)
    }

    private var pieces: [ConflictedText.Piece] = []
    private var text: [UInt8] = []
    private var section = Section.text
    private var sawMarker = false

    mutating func takeByteOrderMark() {
        text += TextConventions.byteOrderMark
    }

    mutating func take(_ line: Line) throws(MarkerError) {
        guard let marker = line.marker else { return takeContent(line.bytes) }
        sawMarker = true
        switch (section, marker) {
        case (.text, .local):
            section = .side(
                .local, ConflictedText.Block(local: [], base: nil, remote: []), start: line.number)
        case (.text, _):
            throw MarkerError(reason: .outsideConflict, line: line.number)
        case (.side, .local):
            throw MarkerError(reason: .nested, line: line.number)
        case (.side(.local, var block, let start), .base):
            block.base = []
            section = .side(.base, block, start: start)
        case (.side(.local, let block, let start), .separator),
            (.side(.base, let block, let start), .separator):
            section = .side(.separator, block, start: start)
        case (.side(.separator, let block, _), .remote):
            end(block, hasLineBreak: line.hasLineBreak)
        case (.side(.local, let block, let start), .remote) where block.local.hasMarkersOfJujutsu:
            throw MarkerError(reason: .jujutsuStyle, line: start)
        case (.side, .remote):
            throw MarkerError(reason: .separatorMissing, line: line.number)
        case (.side, .base), (.side, .separator):
            throw MarkerError(reason: .repeated, line: line.number)
        }
    }

    func finish() throws(MarkerError) -> ConflictedText? {
        if case .side(_, _, let start) = section { throw MarkerError(reason: .unfinished, line: start) }
        guard sawMarker else { return nil }
        return ConflictedText(pieces: pieces + (text.isEmpty ? [] : [.text(text)]))
    }

    private mutating func takeContent(_ bytes: ArraySlice<UInt8>) {
        switch section {
        case .text:
            text += bytes
        case .side(let marker, var block, let start):
            section = .text  // Releases the block, so that appending doesn't copy it.
            switch marker {
            case .local: block.local += bytes
            case .base: block.base?.append(contentsOf: bytes)
            case .separator, .remote: block.remote += bytes
            }
            section = .side(marker, block, start: start)
        }
    }

    private mutating func end(_ block: ConflictedText.Block, hasLineBreak: Bool) {
        if !text.isEmpty { pieces.append(.text(text)) }
        text = []
        var block = block
        if !hasLineBreak, !block.endsInBlankLine {
            // If the last marker has no line break, the block's last lines had none either: see
            // `text(style:labels:)`.
            block.local = block.local.withoutLastLineBreak
            block.base = block.base?.withoutLastLineBreak
            block.remote = block.remote.withoutLastLineBreak
        }
        pieces.append(.block(block))
        section = .text
    }
}

extension [UInt8] {
    /// Whether lines begin as jj's own conflicts do: with the difference of a side, or with a whole side.
    ///
    /// See jj's documentation of the setting `ui.conflict-marker-style`.
    fileprivate var hasMarkersOfJujutsu: Bool {
        ["%%%%%%%", "+++++++"].contains { starts(with: $0.utf8) }
    }
}

extension ConflictedText.Block {
    /// Whether a nonempty side without its last line break would be empty or still end with a line break.
    fileprivate var endsInBlankLine: Bool {
        [local, remote].contains { lines in
            let shortened = lines.withoutLastLineBreak
            return !lines.isEmpty && (shortened.endsWithWholeLine || shortened.last == LineEnding.cr)
        }
    }
}

/// The reason why a text's conflict markers don't enclose conflicts, with its position.
package struct MarkerError: Error, Sendable, Hashable {
    /// The kind of problem.
    package let reason: Reason
    /// The line of the incorrect marker, counted from 1.
    package let line: Int
    /// The column, counted from 1.
    ///
    /// Markers are at the beginning of a line.
    package let column: Int

    /// The kinds of problems with markers.
    package enum Reason: Sendable, Hashable {
        /// A conflict begins (`<<<<<<<`) before the previous conflict has ended.
        case nested
        /// A conflict begins but never ends.
        case unfinished
        /// A `|||||||`, `=======` or `>>>>>>>` is outside a conflict.
        case outsideConflict
        /// A conflict ends (`>>>>>>>`) without a `=======`.
        case separatorMissing
        /// A conflict has a second `|||||||` or `=======`, or a `|||||||` after the `=======`.
        case repeated
        /// A conflict's markers have this length instead of seven characters.
        case otherLength(Int)
        /// jj wrote the conflict in one of its own styles, `diff` or `snapshot`.
        case jujutsuStyle
    }

    /// Creates an error about the marker on a line.
    package init(reason: Reason, line: Int, column: Int = 1) {
        self.reason = reason
        self.line = line
        self.column = column
    }
}

extension MarkerError: CustomStringConvertible {
    /// The problem as a phrase.
    package var description: String {
        switch reason {
        case .nested: "a conflict marker inside another conflict"
        case .unfinished: "a conflict that does not end"
        case .outsideConflict: "a conflict marker outside of any conflict"
        case .separatorMissing: "a conflict that ends without a ======= line"
        case .repeated: "a repeated conflict marker"
        case .otherLength(let length): "conflict markers of \(length) characters instead of 7"
        case .jujutsuStyle:
            "conflict markers in jj's own style; set ui.conflict-marker-style = \"git\" in jj, "
                + "and check out the file again"
        }
    }
}

extension [UInt8] {
    /// Whether any line could be read as a marker.
    var hasMarkerLine: Bool {
        do { return try ConflictedText.read(self) != nil } catch { return true }
    }
}

extension Document {
    /// Returns the document with quoted strings rewritten if they have a line that could be read as a marker.
    func withoutMarkerLines() -> Document {
        guard bytes.hasMarkerLine, case .mapping(let cleared) = value(clearingMarkersIn: root),
            // An update rewrites only strings that change, so change each string and then change it back.
            let changed = try? Document(parsing: updated(to: cleared)),
            let document = try? Document(parsing: changed.updated(to: fields)), document.fields == fields
        else { return self }
        return document
    }

    /// Returns a node's value with an empty string for each string that has a marker line.
    private func value(clearingMarkersIn node: Node) -> Value {
        switch node.shape {
        case .scalar: Array(bytes[node.range]).hasMarkerLine ? .string("") : node.value
        case .alias: node.value
        case .sequence(_, let items): .list(items.map { value(clearingMarkersIn: $0.value) })
        case .mapping(_, let entries):
            .mapping(Mapping(entries.map { (key: $0.key, value: value(clearingMarkersIn: $0.value)) }))
        }
    }
}
