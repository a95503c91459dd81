/// What the conflict markers enclose, as git's `merge.conflictStyle` defines it.
package enum ConflictStyle: String, Sendable, CaseIterable {
    /// The local and the remote lines.
    case merge
    /// The base's lines as well, between the other two.
    case diff3
    /// As ``diff3``, but lines that both sides begin or end with are outside the markers.
    case zdiff3
}
