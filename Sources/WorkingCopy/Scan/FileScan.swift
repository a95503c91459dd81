#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What is in a working directory at one time.
public struct FileScan: Sendable {
    /// Every file that can be a todo by its name and place, in the order of the paths' bytes; without those
    /// that are ``unchanged``.
    public let files: [FoundFile]
    /// The files that are as the cache has them, and so were not read.
    public let unchanged: UnchangedFiles
    /// What could be or hold a todo and is not looked into, in the order in which it was come across.
    public let leftAlone: [LeftAlone]
    /// The folders in which another file system is mounted, or was and nothing is there now.
    public let mountPoints: [String]
    private let reasonsByPath: [[UInt8]: LeftAlone.Reason]
    private let ignoreRules: IgnoreRules
    private let include: IgnorePatterns?

    init(
        files: [FoundFile], unchanged: UnchangedFiles, leftAlone: [LeftAlone], mountPoints: [String],
        reasonsByPath: [[UInt8]: LeftAlone.Reason],
        ignoreRules: IgnoreRules, include: IgnorePatterns?
    ) {
        self.files = files
        self.unchanged = unchanged
        self.leftAlone = leftAlone
        self.mountPoints = mountPoints
        self.reasonsByPath = reasonsByPath
        self.ignoreRules = ignoreRules
        self.include = include
    }

    /// Returns whether the absence of a path from ``files`` means that nothing is there.
    ///
    /// False if the path, or a folder above it, is hidden, ignored, not included, a symbolic link,
    /// unreadable, a working directory of its own or the place of a file system that is not mounted now, and
    /// if it is no place for a todo.
    public func wouldSee(_ path: String) -> Bool {
        reasonNotToSee(path) == nil
    }

    /// Returns why a path, or the folder above it that hides it, is not looked into; nil if it is.
    public func reasonNotToSee(_ path: String) -> LeftAlone.Reason? {
        if let problem = PathRules.problem(with: path) {
            return problem == .hiddenComponent ? .hidden : .unsuitable(problem)
        }
        let bytes = Array(path.utf8)
        for end in bytes.indices.dropFirst() where bytes[end] == slash {
            if let reason = reason(for: bytes[..<end], isFolder: true) { return reason }
        }
        return reason(for: bytes[...], isFolder: false)
    }

    private func reason(for path: ArraySlice<UInt8>, isFolder: Bool) -> LeftAlone.Reason? {
        if let reason = reasonsByPath[Array(path)] { return reason }
        if let reason = ignoreRules.reason(for: path, isFolder: isFolder) { return reason }
        if let include, !isFolder, !include.includes(path: path) { return .notIncluded }
        return nil
    }
}

/// Looks at every file below a folder that can be a todo.
///
/// A file or folder that cannot be read is left alone with the reason; only if the root itself cannot be
/// listed is an error thrown.
///
/// - Parameters:
///   - root: the working directory's path.
///   - include: patterns of gitignore's language; files that none names are left alone. Empty: all are
///     included.
///   - knownMountPoints: ``FileScan/mountPoints`` of the scan before, as far as it is remembered.
public func scan(
    root: String, include: [String], fileSystem: any FileSystem = POSIXFileSystem(),
    knownMountPoints: [String] = []
) throws(FileError) -> FileScan {
    try scan(
        root: root, include: include, fileSystem: fileSystem, knownMountPoints: knownMountPoints, cache: nil)
}

/// Does so without reading files that are as a cache has them.
func scan(
    root: String, include: [String], fileSystem: any FileSystem, knownMountPoints: [String] = [],
    cache: Cache?
) throws(FileError) -> FileScan {
    guard let folder = try fileSystem.openFolder(at: root) else { throw FileError(.open, root, code: ENOENT) }
    var scanner = try Scanner(
        fileSystem: fileSystem, include: include.isEmpty ? nil : IgnorePatterns(include), cache: cache)
    return try scanner.scan(folder, knownMountPoints: knownMountPoints)
}
