/// The anchors and aliases of a document, by the offset at which their node, or their key, begins.
///
/// Each anchor has a number, because a later node can use the same name again.
struct References: Sendable {
    var anchorsOfNodes: [Int: Int] = [:]
    var anchorsOfKeys: [Int: Int] = [:]
    var aliasesOfNodes: [Int: Int] = [:]
    var aliasesOfKeys: [Int: Int] = [:]

    /// Whether an edit in one place can change a value in another.
    var hasAliases: Bool { !aliasesOfNodes.isEmpty || !aliasesOfKeys.isEmpty }
}
