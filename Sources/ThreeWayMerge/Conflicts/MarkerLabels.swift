/// What conflict markers say behind the words *local* and *remote*, in parentheses.
///
/// Whoever reads markers looks at the first word only.
public struct MarkerLabels: Sendable, Hashable {
    /// Where the local side comes from, on one line; nil to say nothing.
    public var local: String?
    /// Where the remote side comes from, on one line; nil to say nothing.
    public var remote: String?

    /// Creates labels; none of the texts has a control character.
    public init(local: String? = nil, remote: String? = nil) {
        self.local = local
        self.remote = remote
    }
}
