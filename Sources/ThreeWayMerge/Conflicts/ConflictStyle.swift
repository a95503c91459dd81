/// The lines that conflict markers enclose, as in git's `merge.conflictStyle`.
package enum ConflictStyle: String, Sendable, CaseIterable {
    /// The local and the remote lines.
    case merge
    /// The local, the base and the remote lines.
    case diff3
    /// Like ``diff3``, but lines that both sides begin or end with are outside the markers.
    case zdiff3
}
