/// The labels in parentheses after the words *local*, *base* and *remote* on conflict markers.
///
/// Parsing a marker ignores its label.
package struct MarkerLabels: Sendable, Hashable {
    /// The source of the local lines, on one line; nil for no label.
    package var local: String?
    /// The source of the base's lines, on one line; nil for no label.
    package var base: String?
    /// The source of the remote lines, on one line; nil for no label.
    package var remote: String?

    /// Creates labels, which must not contain control characters.
    package init(local: String? = nil, base: String? = nil, remote: String? = nil) {
        self.local = local
        self.base = base
        self.remote = remote
    }
}
