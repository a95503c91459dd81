import LosslessYAML

/// The reason why no text can have the changes of both sides: it would break a limit of documents.
package struct MergeObstacle: Error, Sendable, Hashable {
    /// What is wrong with the merged text, for example "larger than 1 MiB".
    package var problem: String
    /// What the sizes count.
    package var unit: Unit
    /// The sizes of the two texts that should have been merged.
    package var local: Int
    package var remote: Int

    /// The unit of a text's size, as a word for messages.
    package enum Unit: String, Sendable {
        case bytes
        /// Keys and values, with aliases expanded.
        case nodes
    }

    package init(problem: String, unit: Unit = .bytes, local: Int, remote: Int) {
        self.problem = problem
        self.unit = unit
        self.local = local
        self.remote = remote
    }

    /// Creates the obstacle to merging two documents.
    ///
    /// - Parameter reason: The problem with the best text that was tried; nil if it can be parsed.
    init(_ reason: YAMLError.Reason?, local: Document, remote: Document) {
        let bytes = (local: local.bytes.count, remote: remote.bytes.count)
        let isLarge = bytes.local + bytes.remote > Document.maximumSize
        switch reason {
        case .aliasesTooLarge:
            self.init(
                problem: "\(YAMLError.Reason.aliasesTooLarge)", unit: .nodes, local: local.fields.nodeCount,
                remote: remote.fields.nodeCount)
        case let reason?:
            self.init(problem: "\(reason)", local: bytes.local, remote: bytes.remote)
        case nil:
            self.init(
                problem: isLarge ? "\(YAMLError.Reason.tooLarge)" : "not certain to have all changes",
                local: bytes.local, remote: bytes.remote)
        }
    }
}
