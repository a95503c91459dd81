import LosslessYAML

/// The comments that a merged text must have: those that a side added, and those that both sides still have.
///
/// A comment is the same wherever it stands, and however far it is indented.
struct KeptComments {
    private let local: Document
    private let remote: Document
    private let counts: Sides<CommentCounts>
    /// How often each comment must stand in the text or in a block.
    private let required: [ArraySlice<UInt8>: Int]

    init(base: Document?, local: Document, remote: Document) {
        self.local = local
        self.remote = remote
        counts = Sides(base: base, local: local, remote: remote).map(CommentCounts.init)
        let counts = counts
        required = counts.local.counts.merging(counts.remote.counts, uniquingKeysWith: max)
            .reduce(into: [:]) { required, most in
                let isRemoved = counts.isRemoved(most.key)
                let count = isRemoved ? counts.withBothChanges(of: most.key) : most.value
                if count > 0 { required[most.key] = count }
            }
    }

    /// Whether a text has a comment more often than local and the remote account for, as where one of them
    /// moved the field below it.
    func areRepeated(in text: ProvenText) -> Bool {
        let outside = CommentCounts(outsideBlocksOf: text.text, local: text.local)
        return outside.counts.contains { comment, count in
            count > max(counts.withBothChanges(of: comment), counts.local[comment], counts.remote[comment])
        }
    }

    /// Returns the text with the comments that it lacks, each put beside what it is about; at its top where
    /// that would change a value.
    func complete(_ text: ProvenText, _ proof: TextProof) -> ProvenText {
        var text = text
        for side in [Side.local, .remote] {
            let missing = missing(in: text)[side]
            text = put(missing, of: side, into: text, proof, halvings: 4)
        }
        let missing = missing(in: text)
        return putAtTop(missing.local, of: local, into: text, proof).flatMap {
            putAtTop(missing.remote, of: remote, into: $0, proof)
        } ?? text
    }

    /// The places, in local and in the remote, of the comments that the text lacks.
    private func missing(in text: ProvenText) -> Sides<[Range<Int>]> {
        var missing = Sides<[Range<Int>]>(base: [], local: [], remote: [])
        if required.isEmpty { return missing }
        let present = CommentCounts(text.text, local: text.local, remote: text.remote)
        var lacking = required.filter { present[$0.key] < $0.value }
        for comment in lacking.keys { lacking[comment, default: 0] -= present[comment] }
        if lacking.isEmpty { return missing }
        func take(from document: Document, isOwn: (ArraySlice<UInt8>) -> Bool) -> [Range<Int>] {
            document.comments.reversed().filter { range in
                let comment = document.comment(range)
                guard let count = lacking[comment], count > 0, isOwn(comment) else { return false }
                lacking[comment] = count - 1
                return true
            }.reversed()
        }
        missing.local = take(from: local) { counts.local[$0] >= counts.remote[$0] }
        missing.remote = take(from: remote) { counts.remote[$0] > counts.local[$0] }
        return missing
    }

    private func put(
        _ comments: [Range<Int>], of side: Side, into text: ProvenText, _ proof: TextProof, halvings: Int
    ) -> ProvenText {
        if comments.isEmpty { return text }
        let (source, target) = side == .local ? (local, text.local) : (remote, text.remote)
        let insertions = target.insertions(of: comments, from: source)
        if let placed = proof.prove(text.text.inserting(insertions, in: side)) { return placed }
        if halvings == 0 || comments.count == 1 {
            return putAtTop(comments, of: source, into: text, proof) ?? text
        }
        let middle = comments.count / 2
        let behind = put(
            Array(comments[middle...]), of: side, into: text, proof, halvings: halvings - 1)
        return put(Array(comments[..<middle]), of: side, into: behind, proof, halvings: halvings - 1)
    }

    private func putAtTop(
        _ comments: [Range<Int>], of source: Document, into text: ProvenText, _ proof: TextProof
    ) -> ProvenText? {
        if comments.isEmpty { return text }
        let lines = comments.flatMap { source.comment($0) + text.text.lineBreak }
        return proof.prove(text.text.inserting(atTop: lines))
    }
}

extension Sides<CommentCounts> {
    /// Whether a side has removed the comment from a place.
    fileprivate func isRemoved(_ comment: ArraySlice<UInt8>) -> Bool {
        min(local[comment], remote[comment]) < base[comment]
    }

    /// How often the comment stands where what each side added and removed is done to the base.
    fileprivate func withBothChanges(of comment: ArraySlice<UInt8>) -> Int {
        local[comment] + remote[comment] - base[comment]
    }
}

extension ConflictedText {
    /// Returns the text with insertions into one side's version, in a block where that has the place.
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
