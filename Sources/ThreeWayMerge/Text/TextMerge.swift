import LosslessYAML

/// Writes merged fields into local's text, with blocks around what is in conflict.
///
/// Makes proposals, from the finest to the plainest, and takes the first that proves right: read again, each side of
/// its blocks holds exactly the values it should. So no side's value can get lost, whatever the texts look like.
struct TextMerge {
    let base: Document?
    let local: Document
    let remote: Document
    let fields: MergedMapping

    /// The merged text.
    func outcome() -> MergedText {
        if let unchanged = oneSidesText() { return .clean(unchanged) }
        let conventions = TextConventions(of: local.bytes)
        let proof = TextProof(fields: fields, hasBase: base != nil)
        // Without lines of their own, fields have no layout to merge.
        if local.isInFlowStyle {
            if !fields.hasConflict { return .clean(local.edited(to: fields.taking(.local)).bytes) }
            let text = flowText()
            if proof.holds(for: text) { return finished(text, conventions, proof) }
        }
        let ownTexts = TodoTexts(base: base, local: local, remote: remote).prepared(by: conventions)
        var texts = ownTexts
        for mode in LayoutMerge.Mode.allCases {
            if mode == .editedTexts { texts = ownTexts.edited(to: fields) }
            guard let pieces = LayoutMerge(hasBase: base != nil, mode: mode).merge(texts, fields) else {
                continue
            }
            let text = ConflictedText(joining: pieces)
            if proof.holds(for: text) { return finished(text, conventions, proof) }
            // A base that nobody chooses is no reason for larger blocks.
            let withoutBase = TextProof(fields: fields, hasBase: false)
            if mode == .editedTexts, withoutBase.holds(for: text), withoutBase.isReadable(text.taking(.base))
            {
                return finished(text, conventions, withoutBase)
            }
        }
        return lastResort(texts, conventions, proof)
    }

    /// Local's flow mapping with each side's values, in one block; what stands before and behind it is outside.
    private func flowText() -> ConflictedText {
        let sides = [Side.local, .base, .remote].map { local.edited(to: fields.taking($0)).bytes }
        let lineBefore = local.bytes[..<local.root.range.lowerBound].lastIndex(of: LineEnding.lf)
        let before = local.bytes[..<(lineBefore.map { $0 + 1 } ?? 0)]
        let lineBehind = local.bytes[local.root.range.upperBound...].firstIndex(of: LineEnding.lf)
        let behind = local.bytes[(lineBehind.map { $0 + 1 } ?? local.bytes.endIndex)...]
        let lines = sides.map { Array($0.dropFirst(before.count).dropLast(behind.count)) }
        let block = ConflictedText.Block(local: lines[0], base: base == nil ? nil : lines[1], remote: lines[2])
        let pieces: [ConflictedText.Piece] = [.text(Array(before)), .block(block), .text(Array(behind))]
        return ConflictedText(pieces: pieces.filter { $0 != .text([]) })
    }

    /// The text of one side if only that side's differs from the base, or both have the same.
    private func oneSidesText() -> [UInt8]? {
        if local.bytes == remote.bytes || remote.bytes == base?.bytes { return local.bytes }
        return local.bytes == base?.bytes ? remote.bytes : nil
    }

    private func finished(_ text: ConflictedText, _ conventions: TextConventions, _ proof: TextProof)
        -> MergedText
    {
        var text = conventions.restore(text.pieces, isValid: proof.holds)
        let literal = UnendedLiteral(
            original: local.bytes, prepared: conventions.prepare(local, keepingLineEndings: true).bytes)
        if let restored = literal?.restored(in: text), proof.holds(for: restored) { text = restored }
        guard text.blocks.isEmpty, let bytes = text.taking(.local) else { return .conflicted(text) }
        return .clean(bytes)
    }

    /// Local's text with the merged values, or one block around all.
    private func lastResort(_ texts: TodoTexts, _ conventions: TextConventions, _ proof: TextProof)
        -> MergedText
    {
        if !fields.hasConflict { return .clean(local.edited(to: fields.taking(.local)).bytes) }
        let whole = ConflictedText.whole(
            local: texts.local.bytes, base: texts.base?.bytes, remote: texts.remote.bytes)
        if proof.holds(for: whole) { return finished(whole, conventions, proof) }
        let emitted = ConflictedText.whole(
            local: emit(fields.taking(.local)), base: base.map { _ in emit(fields.taking(.base)) },
            remote: emit(fields.taking(.remote)))
        return finished(emitted, conventions, proof)
    }
}

/// Three texts of one todo.
struct TodoTexts {
    var base: Document?
    var local: Document
    var remote: Document

    /// The texts made ready to be merged by lines.
    func prepared(by conventions: TextConventions) -> TodoTexts {
        TodoTexts(
            base: base.map { conventions.prepare($0) },
            local: conventions.prepare(local, keepingLineEndings: true), remote: conventions.prepare(remote))
    }

    /// The texts, each with the merged values and its own side of the conflicts.
    func edited(to fields: MergedMapping) -> TodoTexts {
        TodoTexts(
            base: base?.edited(to: fields.taking(.base)), local: local.edited(to: fields.taking(.local)),
            remote: remote.edited(to: fields.taking(.remote)))
    }
}

/// Whether a text says what it should.
struct TextProof {
    let fields: MergedMapping
    let hasBase: Bool

    /// Up to so many blocks every one is tried with either side.
    private static let mostSingleChecks = 8

    /// Whether each version of the text, read, has the fields that this side should have, and blocks can be told
    /// from text.
    func holds(for text: ConflictedText) -> Bool {
        let blocks = text.blocks
        guard isRead(text.taking(.local), as: fields.taking(.local)), fields.hasConflict != blocks.isEmpty
        else {
            return false
        }
        if blocks.isEmpty { return true }
        guard isRead(text.taking(.remote), as: fields.taking(.remote)),
            !hasBase || isRead(text.taking(.base), as: fields.taking(.base)),
            !text.pieces.contains(where: \.hasMarkerLine)
        else { return false }
        guard blocks.count > 1, blocks.count <= Self.mostSingleChecks else { return true }
        return blocks.indices.allSatisfy { isReadable(text.taking(.local, but: $0)) }
    }

    /// Whether a version of a text is a document of whatever fields.
    func isReadable(_ bytes: [UInt8]?) -> Bool {
        bytes.map { (try? Document(parsing: $0)) != nil } ?? false
    }

    private func isRead(_ bytes: [UInt8]?, as fields: Mapping) -> Bool {
        guard let bytes, let document = try? Document(parsing: bytes) else { return false }
        return document.fields == fields
    }
}

extension Document {
    fileprivate var isInFlowStyle: Bool { if case .mapping(.flow, _) = root.shape { true } else { false } }
}

extension ConflictedText {
    /// The text with one side's lines for each block but one, which gets the remote's.
    fileprivate func taking(_ side: Side, but exception: Int) -> [UInt8]? {
        var text = self
        var number = 0
        for (position, piece) in pieces.enumerated() {
            guard case .block(let block) = piece else { continue }
            if number == exception { text.pieces[position] = .text(block.remote) }
            number += 1
        }
        return text.taking(side)
    }
}

extension ConflictedText.Piece {
    /// Whether any of the piece's lines would be taken for a marker.
    fileprivate var hasMarkerLine: Bool {
        let texts =
            switch self {
            case .text(let text): [text]
            case .block(let block): [block.local, block.base ?? [], block.remote]
            }
        return texts.contains { text in
            do { return try ConflictedText.read(text) != nil } catch { return true }
        }
    }
}
