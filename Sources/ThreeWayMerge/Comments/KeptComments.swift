import LosslessYAML

/// The comments that a merged text must have: those that a side added, and those that both sides kept.
///
/// Comments with the same text are the same, regardless of their positions and indentation.
struct KeptComments {
    private let documents: Sides<Document?>
    /// The comments of each text, in order.
    private let comments: Sides<[ArraySlice<UInt8>]>

    init(base: Document?, local: Document, remote: Document) {
        documents = Sides(base: base, local: local, remote: remote)
        comments = documents.map { $0?.commentTexts ?? [] }
    }

    /// Returns the text with the comments that it lacks, each next to the field or item that it is about.
    ///
    /// Comments that would change a value there go to the top of the text; the result is nil if they don't
    /// fit there, either. Unless repeated comments are allowed, the result is also nil if a comment occurs
    /// more often than the two sides justify, for example because one side moved the field below it.
    func complete(_ text: ProvenText, _ proof: TextProof, allowingRepeated: Bool = true) -> ProvenText? {
        if areUntouched(in: text) { return text }
        let counts = comments.map { CommentCounts($0) }
        if !allowingRepeated, counts.areExceeded(in: text) { return nil }
        var text = text
        for side in [Side.local, .remote] {
            text = put(missing(in: text, counts)[side], of: side, into: text, proof, halvings: 4)
        }
        let missing = missing(in: text, counts)
        return putAtTop(missing.local, of: .local, into: text, proof).flatMap {
            putAtTop(missing.remote, of: .remote, into: $0, proof)
        }
    }

    /// Returns whether one side changed no comments, and the text has exactly the other side's comments.
    private func areUntouched(in text: ProvenText) -> Bool {
        if comments.remote == comments.base, text.local.commentTexts == comments.local { return true }
        return comments.local == comments.base && text.remote.commentTexts == comments.remote
    }

    /// Returns the ranges of the missing comments, in local's text and in the remote's text.
    private func missing(in text: ProvenText, _ counts: Sides<CommentCounts>) -> Sides<[Range<Int>]> {
        var missing = Sides<[Range<Int>]>(base: [], local: [], remote: [])
        var lacking = counts.lacking(in: text)
        if lacking.isEmpty { return missing }
        func take(from side: Side, isOwn: (ArraySlice<UInt8>) -> Bool) -> [Range<Int>] {
            guard let document = documents[side] else { return [] }
            return document.comments.reversed().filter { range in
                let comment = document.comment(range)
                guard let count = lacking[comment], count > 0, isOwn(comment) else { return false }
                lacking[comment] = count - 1
                return true
            }.reversed()
        }
        missing.local = take(from: .local) { counts.local[$0] >= counts.remote[$0] }
        missing.remote = take(from: .remote) { counts.remote[$0] > counts.local[$0] }
        return missing
    }

    private func put(
        _ comments: [Range<Int>], of side: Side, into text: ProvenText, _ proof: TextProof, halvings: Int
    ) -> ProvenText {
        guard !comments.isEmpty, let source = documents[side] else { return text }
        let target = side == .local ? text.local : text.remote
        let insertions = target.insertions(of: comments, from: source)
        if let proven = proof.prove(text.text.inserting(insertions, in: side)) { return proven }
        if halvings == 0 || comments.count == 1 {
            return putAtTop(comments, of: side, into: text, proof) ?? text
        }
        let middle = comments.count / 2
        let behind = put(
            Array(comments[middle...]), of: side, into: text, proof, halvings: halvings - 1)
        return put(Array(comments[..<middle]), of: side, into: behind, proof, halvings: halvings - 1)
    }

    private func putAtTop(
        _ comments: [Range<Int>], of side: Side, into text: ProvenText, _ proof: TextProof
    ) -> ProvenText? {
        guard !comments.isEmpty, let source = documents[side] else { return text }
        let lines = comments.flatMap { source.comment($0) + text.text.lineBreak }
        return proof.prove(text.text.inserting(atTop: lines))
    }
}

extension ConflictedText {
    /// Returns the text with insertions into one side's version.
    ///
    /// An insertion inside a block changes only that side of the block.
    fileprivate func inserting(_ insertions: [CommentInsertion], in side: Side) -> ConflictedText {
        var insertions = insertions[...]
        var start = 0
        var pieces = pieces.map { piece in
            var bytes = piece.taking(side)
            let end = start + bytes.count
            let isOpen = !bytes.endsWithWholeLine
            let inside = insertions.prefix { $0.offset < end || $0.offset == end && ($0.isBehind || isOpen) }
            insertions = insertions.dropFirst(inside.count)
            for insertion in inside.reversed() {
                bytes.insert(contentsOf: insertion.text, at: insertion.offset - start)
            }
            start = end
            return piece.replacing(side, with: bytes)
        }
        pieces += insertions.map { .text($0.text) }
        return ConflictedText(joining: pieces)
    }

    fileprivate func inserting(atTop lines: [UInt8]) -> ConflictedText {
        guard case .text(var bytes)? = pieces.first else {
            return ConflictedText(joining: [.text(lines)] + pieces)
        }
        let mark = TextConventions.byteOrderMark
        bytes.insert(contentsOf: lines, at: bytes.starts(with: mark) ? mark.count : 0)
        return ConflictedText(joining: [.text(bytes)] + pieces.dropFirst())
    }
}

extension ConflictedText.Piece {
    fileprivate func replacing(_ side: Side, with bytes: [UInt8]) -> Self {
        guard case .block(var block) = self else { return .text(bytes) }
        if side == .local { block.local = bytes } else { block.remote = bytes }
        return .block(block)
    }
}

extension ConflictedText {
    /// Returns the text with comments above entries that one side removed outside of the entries' blocks, if
    /// that side kept the comments.
    ///
    /// Otherwise, the other side would have these comments twice: in the block and below it.
    ///
    /// - Parameter texts: Each side's own text. Comments that it repeats stay where they are.
    func sharingComments(of texts: Sides<[UInt8]>) -> ConflictedText {
        var shared: [Piece] = []
        var rest = pieces[...]
        while let piece = rest.popFirst() {
            guard case .block(var block) = piece, block.local.isEmpty != block.remote.isEmpty,
                case .text(let below)? = rest.first
            else {
                shared.append(piece)
                continue
            }
            let side: Side = block.local.isEmpty ? .remote : .local
            let lines = block.local + block.remote
            let comments = lines.comments(alsoIn: below)
            if !comments.isEmpty, texts[side].hasOnce(comments) {
                shared.append(.text(comments))
                block.local = Array(block.local.dropFirst(comments.count))
                block.remote = Array(block.remote.dropFirst(comments.count))
                if let base = block.base, base.starts(with: comments) {
                    block.base = Array(base.dropFirst(comments.count))
                }
                rest[rest.startIndex] = .text(Array(below.dropFirst(comments.count)))
            }
            shared.append(.block(block))
        }
        return ConflictedText(joining: shared)
    }
}

extension [UInt8] {
    /// Returns the comment lines that both this text and another one begin with.
    fileprivate func comments(alsoIn other: [UInt8]) -> [UInt8] {
        let shared = zip(lineRanges(self), lineRanges(other)).prefix { own, others in
            self[own] == other[others] && self[own].first { $0 != UInt8(ascii: " ") } == UInt8(ascii: "#")
        }
        return Array(prefix(shared.last?.0.upperBound ?? 0))
    }

    /// Returns whether each of some lines occurs exactly once in the text.
    fileprivate func hasOnce(_ lines: [UInt8]) -> Bool {
        let own = lineRanges(self).map { self[$0] }
        return lineRanges(lines).allSatisfy { line in own.count { $0 == lines[line] } == 1 }
    }
}
