/// The anchors and aliases of a document, by the offset at which their node, or their key, begins.
///
/// Each anchor has a number, since a name may be given again to a later node.
struct References: Sendable {
    var anchorsOfNodes: [Int: Int] = [:]
    var anchorsOfKeys: [Int: Int] = [:]
    var aliasesOfNodes: [Int: Int] = [:]
    var aliasesOfKeys: [Int: Int] = [:]

    /// Whether an edit of one place can change the value of another one.
    var hasAliases: Bool { !aliasesOfNodes.isEmpty || !aliasesOfKeys.isEmpty }
}
