#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Walks through folders, depth first, in the order of the paths' bytes.
struct Scanner {
    private let fileSystem: any FileSystem
    private let include: IgnorePatterns?
    /// When the walk began: a file changed since then may be changed again without getting another stamp.
    private let time: FileTime
    private let cache: Cache?
    /// The cache's first entry whose path is not behind all that was come across.
    private var nextEntry = 0
    private var unchanged: UnchangedFiles
    /// The path of the folder being walked through, with a slash at its end unless it is the root.
    private var prefix: [UInt8] = []
    private var depth = 0
    /// Of the file system that the folder being walked through is on.
    private var device: UInt64 = 0
    private var mountPoints: [String] = []
    private var ignoreRules = IgnoreRules()
    private var files: [FoundFile] = []
    private var leftAlone: [LeftAlone] = []
    private var reasonsByPath: [[UInt8]: LeftAlone.Reason] = [:]

    init(
        fileSystem: any FileSystem, include: IgnorePatterns?, cache: Cache?
    ) throws(FileError) {
        self.fileSystem = fileSystem
        self.include = include
        self.cache = cache
        unchanged = UnchangedFiles(cache)
        time = try fileSystem.time()
    }

    mutating func scan(_ root: OpenFile, knownMountPoints: [String]) throws(FileError) -> FileScan {
        let listing = try fileSystem.list(root)
        device = try fileSystem.status(of: root).stamp.device
        try readIgnoreFile(of: root, listing)
        walk(root, listing)
        let mounted = Set(mountPoints.map { FolderPath($0[...]) })
        for path in knownMountPoints where !mounted.contains(FolderPath(path[...])) { noteVanished(path) }
        return FileScan(
            files: files, unchanged: unchanged, leftAlone: leftAlone, mountPoints: mountPoints,
            reasonsByPath: reasonsByPath,
            ignoreRules: ignoreRules, include: include)
    }

    /// Notes that nothing can be said of a folder in which a file system was mounted, and which is empty now.
    private mutating func noteVanished(_ path: String) {
        let bytes = Array(path.utf8)
        let isInUse =
            files.contains { $0.path.utf8.starts(with: bytes + [slash]) }
            || unchanged.paths.contains { $0.utf8.starts(with: bytes + [slash]) }
        if isInUse || reasonsByPath[bytes] != nil { return }
        mountPoints.append(path)
        leftAlone.append(LeftAlone(path: path, isFolder: true, reason: .notMounted))
        reasonsByPath[bytes] = .notMounted
    }

    private mutating func walk(_ folder: OpenFile, _ listing: FolderListing) {
        for index in listing.sortedIndices(where: Scanner.mayMatter) {
            let name = listing.name(at: index)
            switch listing.kind(at: index) {
            case .folder: enter(name, in: folder)
            case .file: visit(name, in: folder)
            case .symbolicLink: leaveAlone(name, isFolder: false, name.isHidden ? .hidden : .symbolicLink)
            case .other: leaveAlone(name, isFolder: false, .notRegular)
            case .unknown: visitUnknown(name, in: folder)
            }
        }
    }

    /// Whether a name can be or hold a todo, so that there is something to say of it.
    private static func mayMatter(_ name: UnsafeBufferPointer<UInt8>, _ kind: FileKind) -> Bool {
        switch kind {
        case .folder: !name.elementsEqual(stateFolderName.bytes)
        // A link of any name can hide a folder in which todos were.
        case .symbolicLink, .unknown: true
        case .file, .other: PathRules.isYAML(name)
        }
    }

    /// For a file system whose listings do not tell what is what.
    private mutating func visitUnknown(_ name: FileName, in folder: OpenFile) {
        do throws(FileError) {
            guard let status = try fileSystem.status(of: name, in: folder) else { return }
            let matters = name.bytes.withUnsafeBufferPointer { Scanner.mayMatter($0, status.kind) }
            guard matters else { return }
            switch status.kind {
            case .folder: enter(name, in: folder)
            case .file: visit(name, in: folder)
            case .symbolicLink: leaveAlone(name, isFolder: false, name.isHidden ? .hidden : .symbolicLink)
            case .other, .unknown: leaveAlone(name, isFolder: false, .notRegular)
            }
        } catch {
            leaveAlone(name, isFolder: false, .unreadable(error.at(path(of: name))))
        }
    }

    // MARK: Folders

    private mutating func enter(_ name: FileName, in parent: OpenFile) {
        if let reason = reasonToLeaveAlone(name, isFolder: true) {
            leaveAlone(name, isFolder: true, reason)
            return
        }
        do throws(FileError) {
            guard let folder = try fileSystem.openFolder(name, in: parent) else { return }
            let listing = try fileSystem.list(folder)
            if try isWorkingDirectory(folder, listing) {
                leaveAlone(name, isFolder: true, .nestedWorkingDirectory)
                return
            }
            try descend(into: folder, named: name, listing)
        } catch {
            leaveAlone(name, isFolder: true, .unreadable(error.at(path(of: name))))
        }
    }

    private mutating func descend(
        into folder: OpenFile, named name: FileName, _ listing: FolderListing
    ) throws(FileError) {
        let (outerCount, outerDevice) = (prefix.count, device)
        defer {
            prefix.removeLast(prefix.count - outerCount)
            device = outerDevice
            depth -= 1
        }
        depth += 1
        device = try fileSystem.status(of: folder).stamp.device
        if device != outerDevice { mountPoints.append(path(of: name)) }
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

    /// - Throws: if it cannot be read; then nothing can be said of the folder.
    private mutating func readIgnoreFile(of folder: OpenFile, _ listing: FolderListing) throws(FileError) {
        guard listing.kind(of: IgnoreRules.fileName) != nil else { return }
        let limit = TodoFile.maximumSize
        let reading = try fileSystem.readFile(IgnoreRules.fileName, in: folder, limit: limit)
        guard case .content(let content) = reading else { return }
        guard content.bytes.count <= limit else { throw FileError(.read, "", code: EFBIG) }
        ignoreRules.add(IgnorePatterns(file: content.bytes), of: Array(prefix.dropLast()))
    }

    // MARK: Files

    private mutating func visit(_ name: FileName, in folder: OpenFile) {
        if let reason = reasonToLeaveAlone(name, isFolder: false) {
            leaveAlone(name, isFolder: false, reason)
            return
        }
        if isUnchanged(name, in: folder) { return }
        let path = path(of: name)
        do throws(FileError) {
            switch try fileSystem.readFile(name, in: folder, limit: TodoFile.maximumSize) {
            case .missing: break
            case .notRegular: leaveAlone(name, isFolder: false, .notRegular)
            case .content(let content): files.append(FoundFile(path: path, content, at: time))
            }
        } catch {
            leaveAlone(name, isFolder: false, .unreadable(error.at(path)))
        }
    }

    /// Returns whether a file is as the cache has it, and takes note of it.
    private mutating func isUnchanged(_ name: FileName, in folder: OpenFile) -> Bool {
        guard let cache else { return false }
        var isFound = false
        var order = -1
        while nextEntry < cache.entries.count {
            order = cache.order(at: nextEntry, prefix, name.bytes)
            if order > 0 { break }
            if order == 0, cache.entries[nextEntry].flags.contains(.hasStamp),
                let status = try? fileSystem.status(of: name, in: folder), status.kind == .file,
                CacheStamp(status.stamp, device: cache.device) == CacheStamp(cache.entries[nextEntry])
            {
                unchanged.insert(nextEntry)
                isFound = true
            }
            nextEntry += 1
        }
        return isFound
    }

    // MARK: What is left alone

    private func reasonToLeaveAlone(_ name: FileName, isFolder: Bool) -> LeftAlone.Reason? {
        if name.isHidden { return .hidden }
        if let problem = PathRules.problem(withFound: name.bytes) { return .unsuitable(problem) }
        if isFolder, depth == PathRules.maximumDepth { return .unsuitable(.tooDeep) }
        if prefix.count + name.bytes.count > PathRules.maximumLength { return .unsuitable(.tooLong) }
        if ignoreRules.isEmpty, include == nil { return nil }
        let path = prefix + name.bytes
        if let reason = ignoreRules.reason(for: path[...], isFolder: isFolder) { return reason }
        if let include, !isFolder, !include.includes(path: path[...]) { return .notIncluded }
        return nil
    }

    private mutating func leaveAlone(_ name: FileName, isFolder: Bool, _ reason: LeftAlone.Reason) {
        leftAlone.append(LeftAlone(path: path(of: name), isFolder: isFolder, reason: reason))
        reasonsByPath[prefix + name.bytes] = reason
    }

    private func path(of name: FileName) -> String {
        String(decoding: prefix + name.bytes, as: UTF8.self)
    }
}

extension FolderListing {
    /// What a name stands for; nil if it is not in the folder.
    func kind(of name: FileName) -> FileKind? {
        (0..<count).first { self.name(at: $0) == name }.map { kind(at: $0) }
    }
}
