/// What conflict markers say behind the words *local* and *remote*, in parentheses.
///
/// Whoever reads markers looks at the first word only.
package struct MarkerLabels: Sendable, Hashable {
    /// Where the local side comes from, on one line; nil to say nothing.
    package var local: String?
    /// Where the remote side comes from, on one line; nil to say nothing.
    package var remote: String?

    /// Creates labels; none of the texts has a control character.
    package init(local: String? = nil, remote: String? = nil) {
        self.local = local
        self.remote = remote
    }
}
