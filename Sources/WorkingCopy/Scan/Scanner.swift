import Platform
internal import TodoModel

/// Scans folders depth-first, in the byte order of the paths.
struct Scanner {
    private let fileSystem: any FileSystem
    private let include: IgnorePatterns?
    /// The time when the scan began.
    ///
    /// If a file has changed since then, it can change again without a new stamp.
    private let time: FileTime
    private let cache: Cache?
    /// The recorded states; nil if nothing is recorded.
    private let recorded: TodoStates?
    /// The position where this scan begins or ends; nil to scan everything.
    private var boundary: Boundary?
    /// The only paths to scan; nil to scan everything.
    private let paths: PathSet?
    /// The index of the cache's first entry that doesn't sort before the current position.
    private var nextEntry = 0
    /// The path of the current folder, with a trailing slash unless it is the root.
    private var prefix: [UInt8] = []
    private var depth = 0
    /// Why the paths below the current folder aren't allowed for todos; nil if they are.
    private var folderProblem: PathProblem?
    /// The device that the current folder is on.
    private var device: UInt64 = 0
    private var findings: ScanFindings
    /// Counts the files; nil without progress reports.
    private let counter: ProgressCounter?
    /// The number of files that haven't been added to the counter yet.
    private var uncounted = 0

    /// The path that divides a scan into two.
    struct Boundary {
        var path: [UInt8]
        /// Whether this scan ends at the path rather than beginning there.
        var isEnd: Bool

        enum Share { case none, part, whole }

        /// Returns the part of a file or folder that belongs to this scan.
        ///
        /// - Parameter count: The length of the parent folder's part of the path.
        func share(of name: UnsafeBufferPointer<UInt8>, _ kind: FileKind, behind count: Int) -> Share {
            let rest = path[count...]
            if kind == .folder || kind == .unknown, rest.count > name.count, rest.starts(with: name),
                rest[rest.startIndex + name.count] == slash
            {
                return .part
            }
            let isBefore =
                if kind == .folder {
                    name.lexicographicallyPrecedes(rest)
                        && !(rest.starts(with: name) && rest[rest.startIndex + name.count] < slash)
                } else {
                    name.lexicographicallyPrecedes(rest)
                }
            return isBefore == isEnd ? .whole : .none
        }
    }

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - time: The time when the first scan of these files began.
    ///   - firstEntry: The index of the cache's first entry that doesn't sort before this part.
    init(
        fileSystem: any FileSystem, include: IgnorePatterns?, cache: Cache?, recorded: TodoStates? = nil,
        time: FileTime, boundary: Boundary? = nil, firstEntry: Int = 0, paths: PathSet? = nil,
        counter: ProgressCounter? = nil
    ) {
        self.counter = counter
        self.fileSystem = fileSystem
        self.include = include
        self.cache = cache
        self.recorded = recorded
        self.time = time
        self.boundary = boundary
        self.paths = paths
        nextEntry = firstEntry
        findings = ScanFindings(cache)
    }

    /// The number of folders in a listing that counts as many files, because their contents aren't known yet.
    private static let manyFolders = 8

    /// Returns the name in the middle of a folder's listing; nil if the listing is short.
    static func middle(of listing: FolderListing, ofAtLeast count: Int) -> String? {
        let indices = listing.sortedIndices { name, kind in
            name.first != UInt8(ascii: ".") && mayMatter(name, kind)
        }
        let folders = indices.count { listing.kind(at: $0) == .folder }
        guard indices.count >= count || folders >= manyFolders else { return nil }
        return String(validating: listing.name(at: indices[indices.count / 2]).bytes, as: UTF8.self)
    }

    /// Returns the root's listing.
    ///
    /// - Throws: An error if the root can't be listed.
    static func listing(of root: String, _ fileSystem: any FileSystem) throws(FileError) -> FolderListing {
        guard let folder = try fileSystem.openFolder(at: root) else {
            throw FileError(.open, root, code: ENOENT)
        }
        do throws(FileError) { return try fileSystem.list(folder) } catch { throw error.at(root) }
    }

    /// Scans everything below a folder.
    ///
    /// - Parameter listing: The folder's listing; nil to scan only some paths.
    /// - Throws: An error if the folder can't be read.
    mutating func scan(_ path: String, _ listing: FolderListing? = nil) throws(FileError) -> ScanFindings {
        guard let root = try fileSystem.openFolder(at: path) else {
            throw FileError(.open, path, code: ENOENT)
        }
        let names: FolderListing
        do throws(FileError) {
            if let listing { names = listing } else { names = try list(root, below: []) }
            device = try fileSystem.status(of: root).stamp.device
        } catch {
            throw error.at(path)
        }
        try readIgnoreFile(of: root, names)
        walk(root, names)
        return findings
    }

    private func list(_ folder: OpenFile, below prefix: [UInt8]) throws(FileError) -> FolderListing {
        if let paths { return paths.listing(below: prefix) }
        return try fileSystem.list(folder)
    }

    private mutating func walk(_ folder: OpenFile, _ listing: FolderListing) {
        let indices = listing.sortedIndices { [boundary, count = prefix.count] name, kind in
            Scanner.mayMatter(name, kind)
                && boundary.map { $0.share(of: name, kind, behind: count) != .none } ?? true
        }
        for index in indices {
            let name = listing.name(at: index)
            switch listing.kind(at: index) {
            case .folder: enter(name, in: folder)
            case .file: visit(name, in: folder)
            case .symbolicLink: ignore(name, isFolder: false, name.isHidden ? .hidden : .symbolicLink)
            case .other: ignore(name, isFolder: false, .notRegular)
            case .unknown: visitUnknown(name, in: folder)
            }
        }
    }

    /// Returns whether a name can be or contain a todo, so that the scan has to report it.
    private static func mayMatter(_ name: UnsafeBufferPointer<UInt8>, _ kind: FileKind) -> Bool {
        switch kind {
        case .folder: !name.elementsEqual(stateFolderName.bytes)
        // A link with any name can replace a folder that contained todos.
        case .symbolicLink, .unknown: true
        case .file, .other: PathRules.isYAMLInAnyCase(name)
        }
    }

    /// Handles a name on a file system whose listings don't have the files' kinds.
    private mutating func visitUnknown(_ name: FileName, in folder: OpenFile) {
        do throws(FileError) {
            guard let status = try fileSystem.status(of: name, in: folder) else { return }
            let matters = name.bytes.withUnsafeBufferPointer { Scanner.mayMatter($0, status.kind) }
            guard matters else { return }
            switch status.kind {
            case .folder: enter(name, in: folder)
            case .file: visit(name, in: folder)
            case .symbolicLink: ignore(name, isFolder: false, name.isHidden ? .hidden : .symbolicLink)
            case .other, .unknown: ignore(name, isFolder: false, .notRegular)
            }
        } catch {
            ignore(name, isFolder: false, .unreadable(error.at(path(of: name))))
        }
    }

    // MARK: Folders

    private mutating func enter(_ name: FileName, in parent: OpenFile) {
        let outerProblem = folderProblem
        defer { folderProblem = outerProblem }
        if let reason = exclusionReason(for: name, isFolder: true) {
            ignore(name, isFolder: true, reason)
            // The user might mean files in a folder with such a name as todos.
            guard case .unsuitable(let problem) = reason, [.controlCharacter, .notUTF8].contains(problem),
                reasonByRules(name, isFolder: true) == nil
            else { return }
            folderProblem = problem
        }
        do throws(FileError) {
            guard let folder = try fileSystem.openFolder(name, in: parent) else { return }
            let listing = try list(folder, below: prefix + name.bytes + [slash])
            if try isWorkingDirectory(folder, listing) {
                ignore(name, isFolder: true, .nestedWorkingDirectory)
                return
            }
            if listing.kind(of: gitFolderName) != nil,
                !(recorded?.hasTodos(in: path(of: name)) ?? false)
            {
                ignore(name, isFolder: true, .nestedRepository)
                return
            }
            try descend(into: folder, named: name, listing)
        } catch {
            // A file that is too large has its own path.
            let named = error.limit == nil ? error.at(path(of: name)) : error
            ignore(name, isFolder: true, .unreadable(named))
        }
    }

    private mutating func descend(
        into folder: OpenFile, named name: FileName, _ listing: FolderListing
    ) throws(FileError) {
        let (outerCount, outerDevice, outerBoundary) = (prefix.count, device, boundary)
        defer {
            prefix.removeLast(prefix.count - outerCount)
            device = outerDevice
            boundary = outerBoundary
            depth -= 1
        }
        let share = name.bytes.withUnsafeBufferPointer {
            boundary?.share(of: $0, .folder, behind: prefix.count)
        }
        if share != .part { boundary = nil }
        depth += 1
        device = try fileSystem.status(of: folder).stamp.device
        if device != outerDevice { findings.mountPoints.append(path(of: name)) }
        prefix += name.bytes
        prefix.append(slash)
        try readIgnoreFile(of: folder, listing)
        walk(folder, listing)
    }

    private func isWorkingDirectory(_ folder: OpenFile, _ listing: FolderListing) throws(FileError) -> Bool {
        guard let kind = listing.kind(of: stateFolderName) else { return false }
        if kind != .unknown { return kind == .folder }
        return try fileSystem.status(of: stateFolderName, in: folder)?.kind == .folder
    }

    /// Reads a folder's `.todosyncignore`.
    ///
    /// - Throws: An error if it can't be read, which makes the whole folder unreadable.
    private mutating func readIgnoreFile(of folder: OpenFile, _ listing: FolderListing) throws(FileError) {
        guard listing.kind(of: IgnoreRules.fileName) != nil else { return }
        let limit = IgnoreRules.maximumSize
        let reading = try fileSystem.readFile(IgnoreRules.fileName, in: folder, limit: limit)
        guard case .content(let content) = reading else { return }
        guard content.bytes.count <= limit else {
            throw FileError(tooLarge: path(of: IgnoreRules.fileName), limit: limit)
        }
        findings.ignoreRules.add(IgnorePatterns(file: content.bytes), of: Array(prefix.dropLast()))
    }

    // MARK: Files

    private mutating func visit(_ name: FileName, in folder: OpenFile) {
        uncounted += 1
        if uncounted == ProgressCounter.interval {
            counter?.add(uncounted)
            uncounted = 0
        }
        let entries = entries(at: name)
        // The name of a recorded todo's file was already checked.
        let reason =
            entries.isEmpty
            ? exclusionReason(for: name, isFolder: false) : reasonByRules(name, isFolder: false)
        if let reason {
            ignore(name, isFolder: false, reason)
            if case .unsuitable(let problem) = reason, reasonByRules(name, isFolder: false) == nil {
                readUnsuitable(name, in: folder, problem)
            }
            return
        }
        if isUnchanged(name, in: folder, entries) { return }
        let path = path(of: name)
        do throws(FileError) {
            switch try fileSystem.readFile(name, in: folder, limit: TodoFile.maximumSize) {
            case .missing: break
            case .notRegular: ignore(name, isFolder: false, .notRegular)
            case .content(let content):
                findings.files.append(FoundFile(path: path, content, at: time))
                if content.status.names > 1 { findings.hardLinks.append(path) }
            }
        } catch {
            ignore(name, isFolder: false, .unreadable(error.at(path)))
        }
    }

    /// Reads a file whose name isn't allowed for a todo, because the user might mean it as one.
    private mutating func readUnsuitable(_ name: FileName, in folder: OpenFile, _ problem: PathProblem) {
        guard
            case .content(let content)? = try? fileSystem.readFile(
                name, in: folder, limit: TodoFile.maximumSize)
        else { return }
        let file = FoundFile(path: path(of: name), content, at: time)
        findings.unsuitable.append(UnsuitableFile(file: file, problem: problem))
    }

    /// Returns the range of the cache's entries for a file, which follows the current position.
    private mutating func entries(at name: FileName) -> Range<Int> {
        guard let cache else { return 0..<0 }
        if paths != nil { return cache.indices(at: path(of: name)) }
        var first = nextEntry
        while nextEntry < cache.entries.count {
            let order = cache.order(at: nextEntry, prefix, name.bytes)
            if order > 0 { break }
            nextEntry += 1
            if order < 0 { first = nextEntry }
        }
        return first..<nextEntry
    }

    /// Returns whether a file matches a cache entry for its path, and records the file as unchanged if it
    /// does.
    private mutating func isUnchanged(
        _ name: FileName, in folder: OpenFile, _ entries: Range<Int>
    ) -> Bool {
        guard let cache, entries.contains(where: { cache.entries[$0].flags.contains(.hasStamp) }),
            let status = try? fileSystem.status(of: name, in: folder), status.kind == .file,
            let stamp = CacheStamp(status.stamp, device: cache.device)
        else { return false }
        var isFound = false
        for index in entries
        where cache.entries[index].flags.contains(.hasStamp) && CacheStamp(cache.entries[index]) == stamp {
            findings.unchanged.insert(index)
            isFound = true
        }
        if isFound, status.names > 1 { findings.hardLinks.append(path(of: name)) }
        return isFound
    }

    // MARK: Skipped files

    private func exclusionReason(for name: FileName, isFolder: Bool) -> IgnoredFile.Reason? {
        if name.isHidden { return .hidden }
        if let problem = PathRules.problem(withFound: name.bytes) { return .unsuitable(problem) }
        if !isFolder, !PathRules.isYAML(name.bytes) { return .unsuitable(.notYAML) }
        if !isFolder, let folderProblem { return .unsuitable(folderProblem) }
        if isFolder, depth == PathRules.maximumDepth { return .unsuitable(.tooDeep) }
        if prefix.count + name.bytes.count > PathRules.maximumLength { return .unsuitable(.tooLong) }
        return reasonByRules(name, isFolder: isFolder)
    }

    /// Returns the user's rule that excludes a valid file or folder name; nil if there isn't one.
    private func reasonByRules(_ name: FileName, isFolder: Bool) -> IgnoredFile.Reason? {
        if findings.ignoreRules.isEmpty, include == nil { return nil }
        let path = prefix + name.bytes
        if let reason = findings.ignoreRules.reason(for: path[...], isFolder: isFolder) { return reason }
        if let include, !isFolder, !include.includes(path: path[...]) { return .notIncluded }
        return nil
    }

    private mutating func ignore(_ name: FileName, isFolder: Bool, _ reason: IgnoredFile.Reason) {
        findings.ignore(prefix + name.bytes, isFolder: isFolder, reason)
    }

    private func path(of name: FileName) -> String {
        String(decoding: prefix + name.bytes, as: UTF8.self)
    }
}

/// The folder of a git repository, or the file that a linked worktree or a submodule has instead.
private let gitFolderName = FileName(".git")
