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
