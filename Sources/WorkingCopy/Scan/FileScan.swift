internal import LosslessYAML
import Platform
internal import TodoModel

/// The contents of a working directory at some time.
package struct FileScan: Sendable {
    /// Every file that can be a todo judging by its name and path, in the byte order of the paths, except
    /// those in ``unchanged``.
    package private(set) var files: [FoundFile]
    /// The files that weren't read, because their stamps match the cache.
    package private(set) var unchanged: UnchangedFiles
    /// The skipped files and folders that could be or contain a todo, in discovery order.
    package let ignored: [IgnoredFile]
    /// The skipped files with a name that ends like a todo's, but isn't allowed.
    package let unsuitable: [UnsuitableFile]
    /// The folders that other file systems are mounted on.
    package let mountPoints: [String]
    /// The files that have other names, too; some of these names can be outside the folder.
    package let hardLinks: [String]
    private let reasonsByPath: [[UInt8]: IgnoredFile.Reason]
    private let ignoreRules: IgnoreRules
    private let include: IgnorePatterns?

    init(_ findings: ScanFindings, include: IgnorePatterns?) {
        files = findings.files
        unchanged = findings.unchanged
        ignored = findings.ignored
        unsuitable = findings.unsuitable
        mountPoints = findings.mountPoints
        hardLinks = findings.hardLinks
        reasonsByPath = findings.reasonsByPath
        ignoreRules = findings.ignoreRules
        self.include = include
    }

    /// Returns whether a scan finds any file at a path, so a path that isn't in ``files`` has no file.
    ///
    /// A scan doesn't find the file if the path isn't allowed for a todo, or if the path or a folder above it
    /// is hidden, ignored, not included, a symbolic link, unreadable, or a nested working directory.
    package func wouldSee(_ path: String) -> Bool {
        exclusionReason(for: path) == nil
    }

    /// Returns the reason why a path, or a folder above it, is skipped; nil if it isn't skipped.
    package func exclusionReason(for path: String) -> IgnoredFile.Reason? { exclusion(of: path)?.reason }

    /// Returns the file at a path, or the folder above it, that is skipped; nil if it isn't skipped.
    package func exclusion(of path: String) -> IgnoredFile? {
        if let problem = PathRules.problem(with: path) {
            let reason = problem == .hiddenComponent ? IgnoredFile.Reason.hidden : .unsuitable(problem)
            return IgnoredFile(path: path, isFolder: false, reason: reason)
        }
        let bytes = Array(path.utf8)
        for end in bytes.indices.dropFirst() where bytes[end] == slash {
            if let reason = reason(for: bytes[..<end], isFolder: true) {
                let folder = String(decoding: bytes[..<end], as: UTF8.self)
                return IgnoredFile(path: folder, isFolder: true, reason: reason)
            }
        }
        return reason(for: bytes[...], isFolder: false).map {
            IgnoredFile(path: path, isFolder: false, reason: $0)
        }
    }

    /// Returns the scan as it would be after the changes of a rehearsal.
    func changed(by rehearsed: RehearsedFiles) -> FileScan {
        guard !rehearsed.contents.isEmpty else { return self }
        var scan = self
        scan.files.removeAll { rehearsed.contents[ByteKey($0.path)] != nil }
        for (path, bytes) in rehearsed.contents {
            scan.unchanged.remove(at: path.string)
            guard let bytes else { continue }
            scan.files.append(
                FoundFile(path: path.string, content: .read(bytes), permissions: 0o644, stamp: .unreliable))
        }
        scan.files = scan.files.sorted(byBytesOf: \.path)
        return scan
    }

    private func reason(for path: ArraySlice<UInt8>, isFolder: Bool) -> IgnoredFile.Reason? {
        if !reasonsByPath.isEmpty, let reason = reasonsByPath[Array(path)] { return reason }
        if let reason = ignoreRules.reason(for: path, isFolder: isFolder) { return reason }
        if let include, !isFolder, !include.includes(path: path) { return .notIncluded }
        return nil
    }
}

/// Scans every file below a folder that can be a todo.
///
/// Unreadable files and folders are skipped, with the reason. Only an unreadable root is an error.
///
/// - Parameters:
///   - root: The path of the working directory.
///   - include: Patterns in gitignore's language. Files that don't match any pattern are skipped; without
///     patterns, all files are included.
package func scan(
    root: String, include: [String], fileSystem: any FileSystem = POSIXFileSystem()
) throws(FileError) -> FileScan {
    try scan(root: root, include: include, fileSystem: fileSystem, cache: nil)
}

/// Scans every file below a folder that can be a todo, without reading files that match a cache.
///
/// - Parameters:
///   - recorded: The recorded states of todos; nil if there aren't any.
///   - minimumOfTwo: The minimum number of files, if it is known, for a scan on two threads.
func scan(
    root: String, include: [String], fileSystem: any FileSystem, cache: Cache?,
    recorded: TodoStates? = nil, minimumOfTwo: Int = 512, progress: Progress.Reporter? = nil
) throws(FileError) -> FileScan {
    let include = include.isEmpty ? nil : IgnorePatterns(include)
    let time = try fileSystem.time()
    let findings: ScanFindings
    let listing = try Scanner.listing(of: root, fileSystem)
    let isCached = cache.map { !$0.entries.isEmpty } ?? false
    let counter = progress.map { ProgressCounter(.reading, .files, total: cache?.entries.count, $0) }
    let middle =
        isCached
        ? cache?.middle(ofAtLeast: minimumOfTwo) : Scanner.middle(of: listing, ofAtLeast: minimumOfTwo)
    if let middle {
        findings = try scan(
            root, listing, include, fileSystem, cache, time, from: middle, recorded: recorded, counter)
    } else {
        var scanner = Scanner(
            fileSystem: fileSystem, include: include, cache: cache, recorded: recorded, time: time,
            counter: counter)
        findings = try scanner.scan(root, listing)
    }
    return FileScan(findings, include: include)
}

/// Reads the files at some paths without listing folders, and assumes that the other files in the cache are
/// unchanged; nil if one of the paths has no readable file.
func scan(
    only paths: [String], root: String, include: [String], fileSystem: any FileSystem, _ states: TodoStates
) throws(FileError) -> FileScan? {
    var assumed = UnchangedFiles(allOf: states)
    var wanted = Set(paths.map { ByteKey($0) })
    if let cache = states.cache {
        for index in states.unusualInCache {
            let entry = cache.entries[index]
            if entry.hasFile, entry.flags.contains(.hasStamp) { continue }
            assumed.remove(index)
            if entry.hasFile { wanted.insert(ByteKey(cache.path(at: index))) }
        }
        for path in paths { for index in cache.indices(at: path) { assumed.remove(index) } }
    }
    let include = include.isEmpty ? nil : IgnorePatterns(include)
    var scanner = Scanner(
        fileSystem: fileSystem, include: include, cache: states.cache, recorded: states,
        time: try fileSystem.time(), paths: PathSet(wanted.map(\.string)))
    var findings = try scanner.scan(root)
    let found = findings.files.map(\.path) + findings.unchanged.paths
    guard wanted.subtracting(found.map { ByteKey($0) }).isEmpty else { return nil }
    findings.unchanged.formUnion(assumed)
    return FileScan(findings, include: include)
}

/// Scans on two threads, which divide the work at a path.
///
/// - Parameter listing: The root's listing. Both threads share it so that no file can move from one part to
///   the other unseen.
func scan(
    _ root: String, _ listing: FolderListing, _ include: IgnorePatterns?, _ fileSystem: any FileSystem,
    _ cache: Cache?, _ time: FileTime, from path: String, recorded: TodoStates? = nil,
    _ counter: ProgressCounter? = nil
) throws(FileError) -> ScanFindings {
    let firstEntry = cache?.indices(at: path).lowerBound ?? 0
    let path = Array(path.utf8)
    @Sendable func findings(isEnd: Bool) -> Result<ScanFindings, FileError> {
        var scanner = Scanner(
            fileSystem: fileSystem, include: include, cache: cache, recorded: recorded, time: time,
            boundary: Scanner.Boundary(path: path, isEnd: isEnd), firstEntry: isEnd ? 0 : firstEntry,
            counter: counter)
        do throws(FileError) {
            return .success(try scanner.scan(root, listing))
        } catch {
            return .failure(error)
        }
    }
    let (first, second) = concurrently({ findings(isEnd: true) }, { findings(isEnd: false) })
    var all = try first.get()
    all.append(try second.get())
    return all
}

extension Cache {
    /// Returns the path in the middle of the entries; nil if fewer than the given number of entries have a
    /// path.
    fileprivate func middle(ofAtLeast count: Int) -> String? {
        let first = entries.firstIndex { $0.pathLength > 0 } ?? entries.count
        let found = entries.count - first
        return found > 0 && found >= count ? path(at: first + found / 2) : nil
    }
}

/// A file that can be a todo, judging by its name and path.
package struct FoundFile: Sendable, Hashable {
    /// The path relative to the root, with `/` as separator.
    package let path: String
    package let content: Content
    /// The permission bits.
    package let permissions: UInt16
    /// The stamp that the file had before it was read.
    ///
    /// It is ``FileStamp/unreliable`` if the file could change without changing its stamp, so it is always
    /// safe to keep in a ``StampedFile``.
    package let stamp: FileStamp

    package enum Content: Sendable, Hashable {
        case read([UInt8])
        /// The file has more than ``TodoFile/maximumSize`` bytes; the value has the first 65,536 of them.
        case tooLarge(beginning: [UInt8])
    }

    package init(path: String, content: Content, permissions: UInt16, stamp: FileStamp) {
        self.path = path
        self.content = content
        self.permissions = permissions
        self.stamp = stamp
    }
}

extension FoundFile {
    /// Creates a found file from the result of reading it.
    ///
    /// - Parameter time: The time when the scan began.
    init(path: String, _ read: FileContent, at time: FileTime) {
        let isTooLarge = read.bytes.count > TodoFile.maximumSize
        self.init(
            path: path,
            content: isTooLarge ? .tooLarge(beginning: Array(read.bytes.prefix(1 << 16))) : .read(read.bytes),
            permissions: read.status.permissions,
            stamp: read.status.stamp.isReliable(at: time) ? read.status.stamp : .unreliable)
    }
}

extension FoundFile {
    /// The file's bytes; nil if it is too large.
    var bytes: [UInt8]? { if case .read(let bytes) = content { bytes } else { nil } }
}

/// A file that would be a todo's by the end of its name, but whose path isn't allowed for a todo.
package struct UnsuitableFile: Sendable, Hashable {
    package let file: FoundFile
    package let problem: PathProblem
}

/// Reads only the files at some paths; the result has nil for each path without a file.
///
/// Nil means that the path has no regular file or isn't allowed for a todo. To find out whether a path is
/// ignored, use ``scan(root:include:fileSystem:)``.
///
/// - Throws: An error if a file exists and can't be read.
package func lookAtFiles(
    _ paths: [String], root: String, fileSystem: any FileSystem = POSIXFileSystem()
) throws(FileError) -> [FoundFile?] {
    guard let folder = try fileSystem.openFolder(at: root) else { throw FileError(.open, root, code: ENOENT) }
    let tree = FolderTree(root: folder, fileSystem: fileSystem)
    let time = try fileSystem.time()
    var files: [FoundFile?] = []
    for path in paths {
        do throws(FileError) {
            files.append(try file(at: path, in: tree, fileSystem, time))
        } catch {
            throw error.at(path)
        }
    }
    return files
}

/// Reads only the files at some paths that a scan of the folder would see, in the order of their paths.
///
/// - Parameter include: As in ``scan(root:include:fileSystem:)``.
package func scan(
    at paths: [String], root: String, include: [String], fileSystem: any FileSystem
) throws(FileError) -> [FoundFile] {
    var scanner = Scanner(
        fileSystem: fileSystem, include: include.isEmpty ? nil : IgnorePatterns(include), cache: nil,
        time: try fileSystem.time(), paths: PathSet(paths))
    return try scanner.scan(root).files
}

private func file(
    at path: String, in tree: FolderTree, _ fileSystem: any FileSystem, _ time: FileTime
) throws(FileError) -> FoundFile? {
    guard let path = try? TodoPath(path), let folder = try tree.folder(at: path.folder),
        case .content(let content) = try fileSystem.readFile(
            path.name, in: folder, limit: TodoFile.maximumSize)
    else { return nil }
    return FoundFile(path: path.string, content, at: time)
}

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
        let own = Set(mountPoints.map { FolderPath($0[...]) })
        hardLinks += rest.hardLinks
        mountPoints += rest.mountPoints.filter { !own.contains(FolderPath($0[...])) }
        ignoreRules.add(rest.ignoreRules)
    }
}

/// A set of paths, stored as the names in each folder.
struct PathSet: Sendable {
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
