/// The findings of a scan or of a part of one.
struct ScanFindings: Sendable {
    var files: [FoundFile] = []
    var unchanged: UnchangedFiles
    var ignored: [IgnoredFile] = []
    var unsuitable: [UnsuitableFile] = []
    var mountPoints: [String] = []
    var hardLinks: [String] = []
    var reasonsByPath: [[UInt8]: IgnoredFile.Reason] = [:]
    var ignoreRules = IgnoreRules()

    init(_ cache: Cache?) { unchanged = UnchangedFiles(cache) }

    mutating func ignore(_ path: [UInt8], isFolder: Bool, _ reason: IgnoredFile.Reason) {
        ignored.append(
            IgnoredFile(path: String(decoding: path, as: UTF8.self), isFolder: isFolder, reason: reason))
        reasonsByPath[path] = reason
    }

    /// Adds the findings of the part that follows.
    ///
    /// Both parts include the folders that contain the boundary.
    mutating func append(_ rest: ScanFindings) {
        files += rest.files
        unchanged.formUnion(rest.unchanged)
        ignored += rest.ignored.filter { reasonsByPath[Array($0.path.utf8)] == nil }
        reasonsByPath.merge(rest.reasonsByPath) { first, _ in first }
        unsuitable += rest.unsuitable
        let known = Set(mountPoints.map { FolderPath($0[...]) })
        hardLinks += rest.hardLinks
        mountPoints += rest.mountPoints.filter { !known.contains(FolderPath($0[...])) }
        ignoreRules.add(rest.ignoreRules)
    }
}
