package import LosslessYAML

/// A change that the sides of a merge made to a comment.
package struct CommentChange: Sendable, Hashable {
    /// The comment, starting at its `#`.
    package var comment: String
    /// Which side added or removed it.
    package var kind: Kind

    /// Creates a change from its parts.
    package init(comment: String, kind: Kind) {
        self.comment = comment
        self.kind = kind
    }

    /// What happened to the comment; an edited comment counts as one removed and one added.
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

/// Returns each side's changes to comments since the base, wherever the comments stand.
///
/// The changes are in local's order, then the remote's, then the base's.
package func commentChanges(base: Document?, local: Document, remote: Document) -> [CommentChange] {
    let comments = Sides(
        base: base?.commentTexts ?? [], local: local.commentTexts, remote: remote.commentTexts)
    if comments.local == comments.base, comments.remote == comments.base { return [] }
    let counts = comments.map { CommentCounts($0) }
    var told: Set<ArraySlice<UInt8>> = []
    return (comments.local + comments.remote + comments.base).compactMap { comment in
        guard told.insert(comment).inserted,
            let kind = CommentChange.Kind(
                local: counts.local[comment] - counts.base[comment],
                remote: counts.remote[comment] - counts.base[comment])
        else { return nil }
        return CommentChange(comment: String(decoding: comment, as: UTF8.self), kind: kind)
    }
}

extension CommentChange.Kind {
    /// Creates the kind from the number of times that each side added the comment; nil if neither side
    /// changed it.
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
