/// The texts in parentheses that conflict markers have after the words *local*, *base* and *remote*.
///
/// Only the first word matters when markers are read.
package struct MarkerLabels: Sendable, Hashable {
    /// Where the local side comes from, on one line; nil for no text.
    package var local: String?
    /// Where the base comes from, on one line; nil for no text.
    package var base: String?
    /// Where the remote side comes from, on one line; nil for no text.
    package var remote: String?

    /// Creates labels; the texts must not have control characters.
    package init(local: String? = nil, base: String? = nil, remote: String? = nil) {
        self.local = local
        self.base = base
        self.remote = remote
    }
}
