/// The patterns of all `.todosyncignore` files in a working directory, by folder.
struct IgnoreRules: Sendable {
    private var byFolder: [[UInt8]: IgnorePatterns] = [:]

    /// The name of an ignore file, which any folder can have.
    static let fileName: FileName = ".todosyncignore"
    /// The maximum size of an ignore file in bytes.
    static let maximumSize = 1 << 20

    var isEmpty: Bool { byFolder.isEmpty }

    /// Adds a folder's patterns.
    ///
    /// - Parameter folder: The folder's path, empty for the root.
    mutating func add(_ patterns: IgnorePatterns, of folder: [UInt8]) {
        if !patterns.isEmpty { byFolder[folder] = patterns }
    }

    /// Adds the patterns of folders that don't have patterns yet.
    mutating func add(_ other: IgnoreRules) { byFolder.merge(other.byFolder) { own, _ in own } }

    /// Returns the reason why a file or folder itself is ignored, regardless of its parent folders; nil if it
    /// isn't ignored.
    ///
    /// The last matching pattern decides, in the nearest ignore file that has a matching pattern.
    func reason(for path: ArraySlice<UInt8>, isFolder: Bool) -> IgnoredFile.Reason? {
        if byFolder.isEmpty { return nil }
        let nameStart = path.lastIndex(of: slash).map { $0 + 1 } ?? path.startIndex
        var folder = path[..<max(path.startIndex, nameStart - 1)]
        while true {
            let start = folder.isEmpty ? path.startIndex : folder.endIndex + 1
            if let match = byFolder[Array(folder)]?.lastMatch(
                path: path[start...], name: path[nameStart...], isFolder: isFolder)
            {
                return match.isNegated
                    ? nil : .ignored(pattern: match.text, file: file(of: folder), line: match.line)
            }
            if folder.isEmpty { return nil }
            folder = folder[..<(folder.lastIndex(of: slash) ?? folder.startIndex)]
        }
    }

    private func file(of folder: ArraySlice<UInt8>) -> String {
        let name = IgnoreRules.fileName.description
        return folder.isEmpty ? name : String(decoding: folder, as: UTF8.self) + "/" + name
    }
}
