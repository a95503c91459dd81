import LosslessYAML

/// Writes merged fields into local's text, with blocks around conflicts.
///
/// It makes proposals, from the finest to the coarsest, and uses the first one that is proven: each side of
/// its blocks parses to exactly the expected values. So a side's values can't be lost, whatever the texts
/// look like.
struct TextMerge {
    let base: Document?
    let local: Document
    let remote: Document
    let fields: MergedMapping

    /// Returns the merged text.
    func outcome() -> MergedText {
        if expandsTooFar { return .unwritable(obstacle) }
        let conventions = TextConventions(of: local.bytes)
        let proof = TextProof(fields: fields, hasBase: base != nil)
        let comments = KeptComments(base: base, local: local, remote: remote)
        // Fields that share a line have no layout to merge.
        if local.isInFlowStyle {
            let text = fields.hasConflict ? flowText() : editedText()
            if let complete = text.flatMap(proof.prove).flatMap({ comments.complete($0, proof) }) {
                return complete.text.outcome
            }
        }
        var ownTexts = TodoTexts(base: base, local: local, remote: remote).prepared(by: conventions)
        if fields.hasConflict { ownTexts = ownTexts.withoutMarkerLines() }
        var texts = ownTexts
        for mode in LayoutMerge.Mode.allCases {
            if mode == .editedTexts {
                guard let edited = ownTexts.edited(to: fields) else { break }
                texts = edited
            }
            guard let pieces = LayoutMerge(hasBase: base != nil, mode: mode).merge(texts, fields) else {
                continue
            }
            let text = ConflictedText(joining: pieces).joiningDependentBlocks.sharingComments(
                of: Sides(base: [], local: texts.local.bytes, remote: texts.remote.bytes))
            var proof = proof
            var proven = proof.prove(text)
            if proven == nil, mode == .editedTexts {
                // A base that can't be proven doesn't justify larger blocks, because it isn't taken.
                proof = TextProof(fields: fields, hasBase: false)
                proven = proof.isReadable(text.taking(.base)) ? proof.prove(text) : nil
            }
            if let proven,
                let complete = comments.complete(
                    proven, proof, allowingRepeated: mode == .wholeEntries)
            {
                return finished(complete.text, conventions, proof) ?? .unwritable(obstacle)
            }
        }
        return lastResort(texts, conventions, proof, comments)
    }

    /// Returns local's flow mapping as a single block with each side's values.
    ///
    /// Only the lines before and after the mapping's lines are outside the block. Returns nil if a side's
    /// values can't be written.
    private func flowText() -> ConflictedText? {
        let sides = [Side.local, .base, .remote].compactMap { local.edited(to: fields.taking($0))?.bytes }
        guard sides.count == 3 else { return nil }
        let lineBefore = local.bytes[..<local.root.range.lowerBound].lastIndex(of: LineEnding.lf)
        let markLength = local.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let before = local.bytes[..<(lineBefore.map { $0 + 1 } ?? markLength)]
        let lineBehind = local.bytes[local.root.range.upperBound...].firstIndex(of: LineEnding.lf)
        let behind = local.bytes[(lineBehind.map { $0 + 1 } ?? local.bytes.endIndex)...]
        let lines = sides.map { Array($0.dropFirst(before.count).dropLast(behind.count)) }
        let block = ConflictedText.Block(
            local: lines[0], base: base == nil ? nil : lines[1], remote: lines[2])
        let pieces: [ConflictedText.Piece] = [.text(Array(before)), .block(block), .text(Array(behind))]
        return ConflictedText(pieces: pieces.filter { $0 != .text([]) })
    }

    /// Returns local's text edited to have the merged values; nil if that would break a limit.
    private func editedText() -> ConflictedText? {
        local.edited(to: fields.taking(.local)).map { ConflictedText(pieces: [.text($0.bytes)]) }
    }

    /// Returns a proven text that follows the file's conventions; nil if these would break a limit.
    private func finished(
        _ proven: ConflictedText, _ conventions: TextConventions, _ proof: TextProof
    ) -> MergedText? {
        var text = conventions.restore(proven.pieces) { proof.prove($0) != nil }
        let literal = UnendedLiteral(
            original: local.bytes, prepared: conventions.prepare(local, keepingLineEndings: true).bytes)
        if let restored = literal?.restored(in: text), proof.prove(restored) != nil { text = restored }
        return text == proven || proof.prove(text) != nil ? text.outcome : nil
    }

    /// Returns local's text with the merged values, or with a single block around everything.
    private func lastResort(
        _ texts: TodoTexts, _ conventions: TextConventions, _ proof: TextProof, _ comments: KeptComments
    ) -> MergedText {
        func complete(_ text: ConflictedText) -> ConflictedText? {
            proof.prove(text).flatMap { comments.complete($0, proof) }?.text
        }
        if !fields.hasConflict {
            return editedText().flatMap(complete)?.outcome ?? .unwritable(obstacle)
        }
        let whole = ConflictedText.whole(
            local: texts.local.bytes, base: texts.base?.bytes, remote: texts.remote.bytes)
        let emitted = ConflictedText.whole(
            local: written(.local, conventions), base: base.map { _ in written(.base, conventions) },
            remote: written(.remote, conventions))
        for text in [whole, emitted] {
            if let text = complete(text), let result = finished(text, conventions, proof) { return result }
        }
        return .unwritable(obstacle)
    }

    /// Whether the merged text would have too many nodes for one with aliases.
    ///
    /// Without its aliases, it would be many times as large as both texts.
    private var expandsTooFar: Bool {
        (local.hasAliases || remote.hasAliases)
            && [Side.local, .remote].contains { fields.taking($0).nodeCount > Document.maximumNodeCount }
    }

    /// The reason why no text was proven.
    private var obstacle: MergeObstacle {
        var reason: YAMLError.Reason? = expandsTooFar ? .aliasesTooLarge : nil
        for side in [Side.local, .remote] where reason == nil {
            do throws(YAMLError) {
                _ = try Document(parsing: local.updated(to: fields.taking(side)))
            } catch {
                reason = error.reason
            }
        }
        return MergeObstacle(reason, local: local, remote: remote)
    }

    /// Returns a new text with one side's fields.
    private func written(_ side: Side, _ conventions: TextConventions) -> [UInt8] {
        emit(fields.taking(side)).converted(to: conventions.mergedEnding)
    }
}

extension ConflictedText {
    fileprivate var outcome: MergedText {
        guard blocks.isEmpty, let bytes = taking(.local) else { return .conflicted(self) }
        return .clean(bytes)
    }
}

extension Document {
    fileprivate var isInFlowStyle: Bool { if case .mapping(.flow, _) = root.shape { true } else { false } }
}

/// The three versions of a todo.
struct TodoTexts {
    var base: Document?
    var local: Document
    var remote: Document

    /// Returns the texts prepared for merging by lines.
    func prepared(by conventions: TextConventions) -> TodoTexts {
        TodoTexts(
            base: base.map { conventions.prepare($0) },
            local: conventions.prepare(local, keepingLineEndings: true), remote: conventions.prepare(remote))
    }

    /// Returns the texts without lines in strings that could be read as markers.
    func withoutMarkerLines() -> TodoTexts {
        TodoTexts(
            base: base?.withoutMarkerLines(), local: local.withoutMarkerLines(),
            remote: remote.withoutMarkerLines())
    }

    /// Returns the texts edited to have the merged values, each with its own side of the conflicts; nil if
    /// a side's values can't be written.
    ///
    /// A base that can't be written is left out.
    func edited(to fields: MergedMapping) -> TodoTexts? {
        guard let local = local.edited(to: fields.taking(.local)),
            let remote = remote.edited(to: fields.taking(.remote))
        else { return nil }
        return TodoTexts(base: base?.edited(to: fields.taking(.base)), local: local, remote: remote)
    }
}

extension Document {
    /// Returns the document edited to have the given fields; nil if the result would break a limit.
    func edited(to fields: Mapping) -> Document? {
        if self.fields == fields { return self }
        return [updated(to: fields), emit(fields)].lazy.compactMap { try? Document(parsing: $0) }
            .first { $0.fields == fields }
    }
}

/// A literal block scalar at the end of a file without a last line break.
///
/// Its value has no line break at its end, but would have one if the file did. So the header is changed to
/// `|-` while texts are merged, and restored if the literal is still the last value after the merge.
private struct UnendedLiteral {
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
