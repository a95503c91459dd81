internal import LosslessYAML
internal import Platform
internal import Synchronization
package import WorkingCopy

/// An in-memory file system with its own clock, which can be full and can lose power.
///
/// `MemoryDisk+User.swift` contains the changes that users make.
package final class MemoryDisk: FileSystem {
    struct Node {
        var kind = FileKind.file
        var bytes: [UInt8] = []
        /// The part of ``bytes`` that certainly survives a power failure.
        var durableBytes: [UInt8] = []
        var entries: [ByteKey: UInt64] = [:]
        var permissions: UInt16 = 0o644
        var modified = FileTime(seconds: 0, nanoseconds: 0)
        var changed = FileTime(seconds: 0, nanoseconds: 0)
    }

    struct Handle {
        var inode: UInt64
        var position = 0
        var appends = false
    }

    struct Content {
        var nodes: [UInt64: Node] = [1: Node(kind: .folder, permissions: 0o755)]
        var lastInode: UInt64 = 1
        var handles: [Int32: Handle] = [:]
        var lastDescriptor: Int32 = 0
        /// Locked inodes, by the handle that holds each lock.
        var locks: [UInt64: Int32] = [:]
        /// The time in nanoseconds.
        var clock: Int64 = 1_800_000_000_000_000_000
        /// The number of bytes that can still be written; nil for no limit.
        var room: Int?
        var changeCount = 0
        /// The name changes that might not be durable yet, in order.
        var nameChanges: [NameChange] = []
    }

    /// An atomic name change: a power failure leaves all or nothing of it.
    struct NameChange {
        struct Entry: Hashable {
            var folder: UInt64
            var name: ByteKey
        }

        /// The previous inode of each name.
        var before: [Entry: UInt64?] = [:]
        /// Whether the change is durable.
        var isDurable = false
    }

    let content = Mutex(Content())

    package init() {}

    /// The number of changes so far.
    package var changeCount: Int { content.withLock(\.changeCount) }

    /// Lets time pass, or run backward.
    package func advance(nanoseconds: Int64) { content.withLock { $0.clock += nanoseconds } }

    /// The number of bytes that can still be written; nil for no limit.
    package var room: Int? { content.withLock(\.room) }

    /// Limits the number of bytes that can still be written; nil for no limit.
    package func setRoom(_ bytes: Int?) { content.withLock { $0.room = bytes } }

    /// What a file system writes first of the changes that are not durable yet.
    package enum PowerLoss: CaseIterable, Sendable {
        /// Names are written before files' contents: recently written ends of files are cut off or zeroed.
        case dataLate
        /// Contents are written before names: from some moment on, all name changes are lost.
        case namesLate
        /// Each folder is written separately.
        case foldersLate
    }

    /// Loses some of the changes that no `fsync` has made durable.
    package func losePower(_ random: inout SplitMix64, _ loss: PowerLoss = .dataLate) {
        var generator = random
        content.withLock { content in
            switch loss {
            case .dataLate: content.loseData(&generator)
            case .namesLate:
                let count = content.nameChanges.count
                let kept = Int.random(in: 0...count, using: &generator)
                content.loseNames { index, _ in index >= kept }
            case .foldersLate:
                let folders = Set(content.nameChanges.flatMap { $0.before.keys.map(\.folder) }).sorted()
                let late = Set(folders.filter { _ in generator.chance(0.5) })
                content.loseNames { _, change in change.before.keys.contains { late.contains($0.folder) } }
            }
            for inode in content.nodes.keys {
                if let bytes = content.nodes[inode]?.bytes { content.nodes[inode]?.durableBytes = bytes }
            }
            content.nameChanges = []
        }
        random = generator
    }

    // MARK: Opening

    package func openFolder(at path: String) throws(FileError) -> OpenFile? {
        guard let inode = content.withLock({ $0.inode(at: path) }) else { return nil }
        return open(inode)
    }

    package func openFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> OpenFile? {
        guard let inode = try inode(name, folder) else { return nil }
        guard content.withLock({ $0.nodes[inode]?.kind }) == .folder else {
            throw FileError(.open, name.description, code: ENOTDIR)
        }
        return open(inode)
    }

    package func open(_ name: FileName, in folder: OpenFile, for use: FileUse) throws(FileError) -> OpenFile?
    {
        if let inode = try inode(name, folder) {
            if use == .creating || use == .creatingPrivately { return nil }
            if use != .reading, content.withLock({ $0.nodes[inode]?.kind }) != .file {
                throw FileError(.create, name.description, code: EISDIR)
            }
            return open(inode, appends: use == .appending)
        }
        if use == .reading { return nil }
        let inode = try content.withLock { content throws(FileError) -> UInt64 in
            try content.make(Node(), name, in: try content.folder(folder), .create)
        }
        return open(inode, appends: use == .appending)
    }

    private func inode(_ name: FileName, _ folder: OpenFile) throws(FileError) -> UInt64? {
        try content.withLock { content throws(FileError) -> UInt64? in
            content.nodes[try content.folder(folder)]?.entries[name.key]
        }
    }

    private func open(_ inode: UInt64, appends: Bool = false) -> OpenFile {
        let descriptor = content.withLock { content in
            content.lastDescriptor += 1
            content.handles[content.lastDescriptor] = Handle(inode: inode, appends: appends)
            return content.lastDescriptor
        }
        return OpenFile(descriptor: descriptor) { [weak self] descriptor in
            self?.content.withLock { content in
                guard let handle = content.handles.removeValue(forKey: descriptor) else { return }
                if content.locks[handle.inode] == descriptor { content.locks[handle.inode] = nil }
            }
        }
    }

    // MARK: Reading

    package func list(_ folder: OpenFile) throws(FileError) -> FolderListing {
        try content.withLock { content throws(FileError) -> FolderListing in
            var listing = FolderListing()
            for (name, inode) in content.nodes[try content.folder(folder)]?.entries ?? [:] {
                let kind = content.nodes[inode]?.kind ?? .unknown
                Array(name.string.utf8).withUnsafeBytes { listing.append($0, kind) }
            }
            return listing
        }
    }

    package func status(of name: FileName, in folder: OpenFile) throws(FileError) -> FileStatus? {
        guard let inode = try inode(name, folder) else { return nil }
        return content.withLock { $0.status(of: inode) }
    }

    package func status(of file: OpenFile) throws(FileError) -> FileStatus {
        try content.withLock { content throws(FileError) -> FileStatus in
            content.status(of: try content.handle(file).inode)
        }
    }

    package func read(_ file: OpenFile, from offset: Int, atMost count: Int) throws(FileError) -> [UInt8] {
        try content.withLock { content throws(FileError) -> [UInt8] in
            let bytes = content.nodes[try content.handle(file).inode]?.bytes ?? []
            guard offset < bytes.count else { return [] }
            return Array(bytes[offset..<min(bytes.count, offset + count)])
        }
    }

    package func time() throws(FileError) -> FileTime { content.withLock { $0.now } }

    // MARK: Writing

    package func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        try content.withLock { content throws(FileError) in
            var handle = try content.handle(file)
            let written = bytes.prefix(content.room ?? .max)
            content.room? -= written.count
            content.change(handle.inode) { node in
                if handle.appends { handle.position = node.bytes.count }
                let end = handle.position + written.count
                if handle.position == node.bytes.count {
                    node.bytes += written
                } else {
                    node.bytes.replaceSubrange(handle.position..<min(end, node.bytes.count), with: written)
                }
                handle.position = end
            }
            content.handles[file.descriptor] = handle
            if written.count < bytes.count { throw FileError(.write, "", code: ENOSPC) }
        }
    }

    package func truncate(_ file: OpenFile, to size: Int) throws(FileError) {
        try content.withLock { content throws(FileError) in
            content.change(try content.handle(file).inode) { node in
                node.bytes.removeLast(max(0, node.bytes.count - size))
                node.durableBytes = Array(node.durableBytes.prefix(size))
            }
        }
    }

    package func setPermissions(_ permissions: UInt16, of file: OpenFile) throws(FileError) {
        try content.withLock { content throws(FileError) in
            content.change(try content.handle(file).inode) { $0.permissions = permissions }
        }
    }

    package func setModified(_ time: FileTime, of file: OpenFile) throws(FileError) {
        try content.withLock { content throws(FileError) in
            content.change(try content.handle(file).inode, isContent: false) { $0.modified = time }
        }
    }

    package func setOwner(user: UInt32, group: UInt32, of file: OpenFile) throws(FileError) {}

    package func synchronize(_ file: OpenFile, _ extent: SynchronizationExtent) throws(FileError) {
        try content.withLock { content throws(FileError) in
            let inode = try content.handle(file).inode
            let inodes = extent == .fileSystem ? Array(content.nodes.keys) : [inode]
            for inode in inodes {
                if let bytes = content.nodes[inode]?.bytes { content.nodes[inode]?.durableBytes = bytes }
            }
            if extent == .fileSystem { content.nameChanges = [] } else { content.keepNames(of: inode) }
        }
    }

    package func checkWritable(_ folder: OpenFile) throws(FileError) {}

    package func copyAttributes(
        of model: OpenFile, to file: OpenFile, permissions: UInt16, hasSameGroup: Bool
    ) throws(FileError) -> UInt16 { permissions }

    package func hasDefaultAccessList(_ folder: OpenFile) -> Bool { false }

    package func lock(_ file: OpenFile) throws(FileError) -> Bool {
        try content.withLock { content throws(FileError) -> Bool in
            let inode = try content.handle(file).inode
            if let owner = content.locks[inode] { return owner == file.descriptor }
            content.locks[inode] = file.descriptor
            return true
        }
    }

    package func unlock(_ file: OpenFile) {
        content.withLock { content in
            guard let inode = try? content.handle(file).inode, content.locks[inode] == file.descriptor else {
                return
            }
            content.locks[inode] = nil
        }
    }
}

// MARK: - Names

extension MemoryDisk {
    package func makeFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool {
        try content.withLock { content throws(FileError) -> Bool in
            let parent = try content.folder(folder)
            if content.nodes[parent]?.entries[name.key] != nil { return false }
            _ = try content.make(Node(kind: .folder, permissions: 0o755), name, in: parent, .makeFolder)
            return true
        }
    }

    package func removeFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool {
        try content.withLock { content throws(FileError) -> Bool in
            let parent = try content.folder(folder)
            guard let inode = content.nodes[parent]?.entries[name.key], let node = content.nodes[inode],
                node.kind == .folder, node.entries.isEmpty
            else { return false }
            content.noteNames([(parent, name.key)])
            content.change(parent) { $0.entries[name.key] = nil }
            return true
        }
    }

    package func rename(
        _ name: FileName, in folder: OpenFile, to newName: FileName, in newFolder: OpenFile,
        _ manner: RenameManner
    ) throws(FileError) -> RenameOutcome {
        try content.withLock { content throws(FileError) -> RenameOutcome in
            let (old, new) = (try content.folder(folder), try content.folder(newFolder))
            guard let inode = content.nodes[old]?.entries[name.key] else { return .missing }
            let other = content.nodes[new]?.entries[newName.key]
            switch manner {
            case .keeping where other != nil: return .occupied
            case .exchanging where other == nil: return .missing
            default: break
            }
            content.noteNames([(old, name.key), (new, newName.key)])
            content.change(old) { $0.entries[name.key] = manner == .exchanging ? other : nil }
            content.change(new) { $0.entries[newName.key] = inode }
            content.change(inode, isContent: false) { _ in }
            return .done
        }
    }

    package func link(
        _ name: FileName, in folder: OpenFile, to newName: FileName, in newFolder: OpenFile
    ) throws(FileError) -> RenameOutcome {
        try content.withLock { content throws(FileError) -> RenameOutcome in
            let (old, new) = (try content.folder(folder), try content.folder(newFolder))
            guard let inode = content.nodes[old]?.entries[name.key] else { return .missing }
            if content.nodes[new]?.entries[newName.key] != nil { return .occupied }
            content.noteNames([(new, newName.key)])
            content.change(new) { $0.entries[newName.key] = inode }
            return .done
        }
    }

    package func remove(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool {
        try content.withLock { content throws(FileError) -> Bool in
            let parent = try content.folder(folder)
            guard content.nodes[parent]?.entries[name.key] != nil else { return false }
            content.noteNames([(parent, name.key)])
            content.change(parent) { $0.entries[name.key] = nil }
            return true
        }
    }
}

extension FileName {
    fileprivate var key: ByteKey { ByteKey(description) }
}

extension MemoryDisk.Content {
    /// The time as the kernel stamps files, with a clock that ticks every four milliseconds.
    var now: FileTime {
        let ticked = clock - clock % 4_000_000
        return FileTime(seconds: ticked / 1_000_000_000, nanoseconds: Int32(ticked % 1_000_000_000))
    }

    func handle(_ file: OpenFile) throws(FileError) -> MemoryDisk.Handle {
        guard let handle = handles[file.descriptor] else { throw FileError(.inspect, "", code: EBADF) }
        return handle
    }

    func folder(_ file: OpenFile) throws(FileError) -> UInt64 {
        let inode = try handle(file).inode
        guard nodes[inode]?.kind == .folder else { throw FileError(.open, "", code: ENOTDIR) }
        return inode
    }

    mutating func change(_ inode: UInt64, isContent: Bool = true, _ body: (inout MemoryDisk.Node) -> Void) {
        guard var node = nodes.removeValue(forKey: inode) else { return }
        clock += 1000
        changeCount += 1
        body(&node)
        if isContent { node.modified = now }
        node.changed = now
        nodes[inode] = node
    }

    mutating func make(
        _ node: MemoryDisk.Node, _ name: FileName, in folder: UInt64, _ operation: FileError.Operation
    ) throws(FileError) -> UInt64 {
        if let room, room <= 0 { throw FileError(operation, name.description, code: ENOSPC) }
        lastInode += 1
        nodes[lastInode] = node
        change(lastInode) { _ in }
        let inode = lastInode
        noteNames([(folder, name.key)])
        change(folder) { $0.entries[name.key] = inode }
        return inode
    }

    func status(of inode: UInt64) -> FileStatus {
        let node = nodes[inode] ?? MemoryDisk.Node()
        return FileStatus(
            kind: node.kind, permissions: node.permissions, user: 0, group: 0,
            stamp: FileStamp(
                device: 1, inode: inode, size: Int64(node.bytes.count), modified: node.modified,
                changed: node.changed))
    }

    /// Returns the inode at a path, which is relative to the root or absolute.
    func inode(at path: String) -> UInt64? {
        var inode: UInt64? = 1
        for name in path.split(separator: "/") {
            inode = inode.flatMap { nodes[$0]?.entries[ByteKey(String(name))] }
        }
        return inode
    }
}
