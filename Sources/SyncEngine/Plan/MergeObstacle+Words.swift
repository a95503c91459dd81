package import ThreeWayMerge
internal import WorkingCopy

extension MergeObstacle {
    /// Creates the obstacle to a file with conflict markers; nil if the file isn't too large.
    ///
    /// - Parameters:
    ///   - local: The local text; nil if the todo was deleted.
    ///   - remote: The remote's text; nil if the todo was deleted.
    init?(marking text: [UInt8], local: [UInt8]?, _ remote: [UInt8]?) {
        guard text.count > TodoFile.maximumSize else { return nil }
        self.init(
            problem: "with conflict markers, larger than \(TodoFile.maximumSize >> 20) MiB",
            local: local?.count ?? 0, remote: remote?.count ?? 0)
    }

    /// The obstacle, with the limit and the sizes of both sides.
    package var words: String {
        "the changes of both sides do not fit into one file: \(problem) "
            + "(local \(local.grouped) \(unit.rawValue), remote \(remote.grouped) \(unit.rawValue))"
    }
}
