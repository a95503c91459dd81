/// What stands between the markers, as git's `merge.conflictStyle` says.
package enum ConflictStyle: String, Sendable, CaseIterable {
    /// The local and the remote lines.
    case merge
    /// The base's lines as well, between the two.
    case diff3
    /// As ``diff3``, but lines that both sides begin or end with stand outside the markers.
    case zdiff3
}
