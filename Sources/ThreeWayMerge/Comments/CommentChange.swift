package import LosslessYAML

/// A change that the sides of a merge made to a comment.
package struct CommentChange: Sendable, Hashable {
    /// The comment, beginning with its `#`.
    package var comment: String
    /// The change, and the side that made it.
    package var kind: Kind

    /// Creates a change from its parts.
    package init(comment: String, kind: Kind) {
        self.comment = comment
        self.kind = kind
    }

    /// A kind of change to a comment.
    ///
    /// An edited comment counts as one removal and one addition.
    package enum Kind: String, Sendable, CaseIterable {
        case addedLocally, addedRemotely, addedAlike
        case removedLocally, removedRemotely, removedAlike

        package var isAddition: Bool {
            switch self {
            case .addedLocally, .addedRemotely, .addedAlike: true
            case .removedLocally, .removedRemotely, .removedAlike: false
            }
        }
    }
}

/// Returns the changes to comments that each side made since the base, regardless of the comments' positions.
///
/// The changes are in the order of local, then remote, then base.
package func commentChanges(base: Document?, local: Document, remote: Document) -> [CommentChange] {
    let comments = Sides(
        base: base?.commentTexts ?? [], local: local.commentTexts, remote: remote.commentTexts)
    if comments.local == comments.base, comments.remote == comments.base { return [] }
    let counts = comments.map { CommentCounts($0) }
    var reported: Set<ArraySlice<UInt8>> = []
    return (comments.local + comments.remote + comments.base).compactMap { comment in
        guard reported.insert(comment).inserted,
            let kind = CommentChange.Kind(
                local: counts.local[comment] - counts.base[comment],
                remote: counts.remote[comment] - counts.base[comment])
        else { return nil }
        return CommentChange(comment: String(decoding: comment, as: UTF8.self), kind: kind)
    }
}

extension CommentChange.Kind {
    /// Creates the kind from the number of times that each side added the comment, negative for removals; nil
    /// if neither side changed the number.
    fileprivate init?(local: Int, remote: Int) {
        if local > 0 {
            self = remote > 0 ? .addedAlike : .addedLocally
        } else if remote > 0 {
            self = .addedRemotely
        } else if local < 0 {
            self = remote < 0 ? .removedAlike : .removedLocally
        } else if remote < 0 {
            self = .removedRemotely
        } else {
            return nil
        }
    }
}

/// The number of times that each comment occurs in a text, regardless of its position and indentation.
struct CommentCounts {
    private(set) var counts: [ArraySlice<UInt8>: Int] = [:]

    init(_ comments: [ArraySlice<UInt8>]) {
        for comment in comments { counts[comment, default: 0] += 1 }
    }

    /// Counts the comments of a merged text.
    ///
    /// In a block, the side where a comment occurs more often counts.
    init(_ text: ConflictedText, local: Document, remote: Document) {
        let inLocal = Self.perPiece(of: text, .local, local)
        let inRemote = text.blocks.isEmpty ? inLocal : Self.perPiece(of: text, .remote, remote)
        for (local, remote) in zip(inLocal, inRemote) {
            for (comment, count) in local.merging(remote, uniquingKeysWith: max) {
                counts[comment, default: 0] += count
            }
        }
    }

    /// Counts the comments outside a text's blocks.
    init(outsideBlocksOf text: ConflictedText, local: Document) {
        for (piece, inside) in zip(text.pieces, Self.perPiece(of: text, .local, local)) {
            if case .text = piece { counts.merge(inside, uniquingKeysWith: +) }
        }
    }

    subscript(comment: ArraySlice<UInt8>) -> Int { counts[comment] ?? 0 }

    private static func perPiece(of text: ConflictedText, _ side: Side, _ document: Document)
        -> [[ArraySlice<UInt8>: Int]]
    {
        var comments = document.comments[...]
        var end = 0
        return text.pieces.map { piece in
            end += piece.taking(side).count
            let inside = comments.prefix { $0.lowerBound < end }
            comments = comments.dropFirst(inside.count)
            return inside.reduce(into: [:]) { counts, range in
                counts[document.comment(range), default: 0] += 1
            }
        }
    }
}

extension Sides<CommentCounts> {
    /// Returns how many times a text lacks each comment, out of those that a side added or both sides kept.
    func lacking(in text: ProvenText) -> [ArraySlice<UInt8>: Int] {
        let present = CommentCounts(text.text, local: text.local, remote: text.remote)
        var lacking: [ArraySlice<UInt8>: Int] = [:]
        for (comment, most) in local.counts.merging(remote.counts, uniquingKeysWith: max) {
            let isRemoved = min(local[comment], remote[comment]) < base[comment]
            let count = (isRemoved ? withBothChanges(of: comment) : most) - present[comment]
            if count > 0 { lacking[comment] = count }
        }
        return lacking
    }

    /// Returns whether a comment occurs outside a text's blocks more often than the two sides justify.
    func areExceeded(in text: ProvenText) -> Bool {
        let outside = CommentCounts(outsideBlocksOf: text.text, local: text.local)
        return outside.counts.contains { comment, count in
            count > max(withBothChanges(of: comment), local[comment], remote[comment])
        }
    }

    /// Returns how often a comment occurs once both sides' additions and removals are applied to the base.
    private func withBothChanges(of comment: ArraySlice<UInt8>) -> Int {
        local[comment] + remote[comment] - base[comment]
    }
}

extension Document {
    /// The comments in the order of the text.
    var commentTexts: [ArraySlice<UInt8>] { comments.map { comment($0) } }
}

extension ConflictedText.Piece {
    /// Returns the piece's lines in one side's version.
    func taking(_ side: Side) -> [UInt8] {
        switch self {
        case .text(let bytes): bytes
        case .block(let block):
            switch side {
            case .local: block.local
            case .base: block.base ?? []
            case .remote: block.remote
            }
        }
    }
}
