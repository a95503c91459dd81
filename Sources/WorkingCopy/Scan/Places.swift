/// A set of paths, stored as the names in each folder.
struct Places: Sendable {
    private var names: [[UInt8]: Set<FileName>] = [:]

    init(_ paths: some Sequence<String>) {
        for path in paths {
            let bytes = Array(path.utf8)
            var start = 0
            for end in bytes.indices where bytes[end] == slash {
                add(bytes[start..<end], below: bytes[..<start])
                start = end + 1
            }
            add(bytes[start...], below: bytes[..<start])
        }
    }

    private mutating func add(_ name: ArraySlice<UInt8>, below prefix: ArraySlice<UInt8>) {
        names[Array(prefix), default: []].insert(FileName(terminated: name + [0]))
    }

    /// Returns the names to check in a folder: those that lead to the paths, and those that decide how the
    /// folder is scanned.
    ///
    /// - Parameter prefix: The folder's path with a trailing slash; empty for the root.
    func listing(below prefix: [UInt8]) -> FolderListing {
        var listing = FolderListing()
        for name in (names[prefix] ?? []).union([IgnoreRules.fileName, stateFolderName]) {
            name.bytes.withUnsafeBytes { listing.append($0, .unknown) }
        }
        return listing
    }
}
