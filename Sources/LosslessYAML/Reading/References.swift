/// The anchors and aliases of a document, by the offset of their node or key.
///
/// Anchors are numbered, because later nodes can use the same name again.
struct References: Sendable {
    var anchorsOfNodes: [Int: Int] = [:]
    var anchorsOfKeys: [Int: Int] = [:]
    var aliasesOfNodes: [Int: Int] = [:]
    var aliasesOfKeys: [Int: Int] = [:]

    /// Whether an edit of one value can change another value.
    var hasAliases: Bool { !aliasesOfNodes.isEmpty || !aliasesOfKeys.isEmpty }

    /// The offset of the last alias; nil if there are no aliases.
    var lastAlias: Int? { [aliasesOfNodes.keys.max(), aliasesOfKeys.keys.max()].compactMap(\.self).max() }
}
