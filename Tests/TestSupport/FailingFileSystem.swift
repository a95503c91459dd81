import Synchronization
package import WorkingCopy

/// A file system that runs something before each call, such as a failure or another program's change.
///
/// It forwards calls to the real file system or to a given one.
package struct FailingFileSystem: FileSystem {
    package let base: any FileSystem
    /// Whether writes must survive a power failure, which tests of the real file system don't need.
    private let synchronizes: Bool
    /// System calls that the file system doesn't support.
    package var missing: Set<MissingCall> = []
    /// Whether every change to a file's content changes its stamp, as if the clock had no ticks.
    package var hasFineClock = false
    /// The inodes of folders that count as a different file system.
    package var foreignFolders: Set<UInt64> = []
    /// Whether only renaming a file reveals those folders, as with subvolumes.
    package var areForeignFoldersHidden = false
    private let counter = Counter()
    private let before: @Sendable (Call) throws(FileError) -> Void

    package enum MissingCall: Sendable {
        case exchange, renameKeeping, link
        /// Listings don't contain the kinds of entries.
        case kinds
    }

    package struct Call: Sendable {
        /// The call's number, from 1.
        package let number: Int
        package let operation: FileError.Operation
        package let name: String
        package let manner: RenameManner?
    }

    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    package init(before: @escaping @Sendable (Call) throws(FileError) -> Void = { _ in }) {
        base = POSIXFileSystem()
        synchronizes = false
        self.before = before
    }

    package init(_ disk: MemoryDisk, before: @escaping @Sendable (Call) throws(FileError) -> Void) {
        base = disk
        synchronizes = true
        self.before = before
    }

    /// Fails at one call, or at all calls from that one on.
    package init(failingAt number: Int, andAfter: Bool = false, code: Int32) {
        self.init { call throws(FileError) in
            if call.number == number || andAfter && call.number > number {
                throw FileError(call.operation, call.name, code: code)
            }
        }
    }

    /// Fails from the first chosen call on, like a command that crashes there.
    package init(crashingAt isChosen: @escaping @Sendable (Call) -> Bool, code: Int32) {
        let isDown = Atomic(false)
        self.init { call throws(FileError) in
            if isChosen(call) { isDown.store(true, ordering: .relaxed) }
            if isDown.load(ordering: .relaxed) { throw FileError(call.operation, call.name, code: code) }
        }
    }

    /// The name for a call that syncs a whole file system.
    package static let everything: FileName = "everything"
    /// The same for the file system of ``foreignFolders``.
    package static let everythingForeign: FileName = "everything foreign"

    /// The number of calls so far.
    package var calls: Int { counter.value.load(ordering: .relaxed) }

    private func count(
        _ operation: FileError.Operation, _ name: FileName = "", _ manner: RenameManner? = nil
    ) throws(FileError) {
        let number = counter.value.add(1, ordering: .relaxed).newValue
        try before(Call(number: number, operation: operation, name: name.description, manner: manner))
    }

    private func areOnOneFileSystem(_ folder: OpenFile, _ other: OpenFile) throws(FileError) -> Bool {
        if foreignFolders.isEmpty { return true }
        return try isForeign(folder) == isForeign(other)
    }

    private func isForeign(_ folder: OpenFile) throws(FileError) -> Bool {
        if foreignFolders.isEmpty { return false }
        return foreignFolders.contains(try base.status(of: folder).stamp.inode)
    }

    package func openFolder(at path: String) throws(FileError) -> OpenFile? {
        try count(.open, FileName(path))
        return try base.openFolder(at: path)
    }
    package func openFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> OpenFile? {
        try count(.open, name)
        return try base.openFolder(name, in: folder)
    }
    package func open(_ name: FileName, in folder: OpenFile, for use: FileUse) throws(FileError) -> OpenFile?
    {
        try count(use == .reading ? .open : .create, name)
        return try base.open(name, in: folder, for: use)
    }
    package func list(_ folder: OpenFile) throws(FileError) -> FolderListing {
        try count(.list)
        let listing = try base.list(folder)
        guard missing.contains(.kinds) else { return listing }
        var unknown = FolderListing()
        for index in 0..<listing.count {
            Array(listing.name(at: index).bytes).withUnsafeBytes { unknown.append($0, .unknown) }
        }
        return unknown
    }
    package func status(of name: FileName, in folder: OpenFile) throws(FileError) -> FileStatus? {
        try count(.inspect, name)
        guard hasFineClock, let file = try? base.open(name, in: folder, for: .reading) else {
            return try base.status(of: name, in: folder)
        }
        return try fineStatus(of: file)
    }
    package func status(of file: OpenFile) throws(FileError) -> FileStatus {
        try count(.inspect)
        var status = try hasFineClock ? fineStatus(of: file) : base.status(of: file)
        if !areForeignFoldersHidden, foreignFolders.contains(status.stamp.inode) { status.stamp.device += 1 }
        return status
    }

    private func fineStatus(of file: OpenFile) throws(FileError) -> FileStatus {
        var status = try base.status(of: file)
        guard status.kind == .file,
            let bytes = try? base.read(file, from: 0, atMost: Int(status.stamp.size))
        else { return status }
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        status.stamp.changed = FileTime(seconds: Int64(hash >> 34), nanoseconds: Int32(hash & 0x1FFF_FFFF))
        return status
    }

    package func read(_ file: OpenFile, from offset: Int, atMost limit: Int) throws(FileError) -> [UInt8] {
        try count(.read)
        return try base.read(file, from: offset, atMost: limit)
    }
    package func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        try count(.write)
        try base.write(bytes, to: file)
    }
    package func truncate(_ file: OpenFile, to size: Int) throws(FileError) {
        try count(.truncate)
        try base.truncate(file, to: size)
    }
    package func setPermissions(_ permissions: UInt16, of file: OpenFile) throws(FileError) {
        try count(.setPermissions)
        try base.setPermissions(permissions, of: file)
    }
    package func setModified(_ time: FileTime, of file: OpenFile) throws(FileError) {
        try count(.setModified)
        try base.setModified(time, of: file)
    }
    package func setOwner(user: UInt32, group: UInt32, of file: OpenFile) throws(FileError) {
        try count(.setOwner)
        try base.setOwner(user: user, group: group, of: file)
    }
    package func copyAttributes(
        of model: OpenFile, to file: OpenFile, permissions: UInt16, hasSameGroup: Bool
    ) throws(FileError) -> UInt16 {
        try count(.copyAttributes)
        return try base.copyAttributes(
            of: model, to: file, permissions: permissions, hasSameGroup: hasSameGroup)
    }
    package func hasDefaultAccessList(_ folder: OpenFile) -> Bool { base.hasDefaultAccessList(folder) }
    package func checkWritable(_ folder: OpenFile) throws(FileError) {
        try count(.writeInFolder)
        try base.checkWritable(folder)
    }
    package func makeFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool {
        try count(.makeFolder, name)
        return try base.makeFolder(name, in: folder)
    }
    package func removeFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool {
        try count(.removeFolder, name)
        return try base.removeFolder(name, in: folder)
    }
    package func rename(
        _ name: FileName, in folder: OpenFile, to newName: FileName, in newFolder: OpenFile,
        _ manner: RenameManner
    ) throws(FileError) -> RenameOutcome {
        try count(.rename, name, manner)
        if manner == .exchanging, missing.contains(.exchange) { return .unsupported }
        if manner == .keeping, missing.contains(.renameKeeping) { return .unsupported }
        if areForeignFoldersHidden, try base.status(of: name, in: folder) == nil { return .missing }
        guard try areOnOneFileSystem(folder, newFolder) else { return .otherFileSystem }
        return try base.rename(name, in: folder, to: newName, in: newFolder, manner)
    }
    package func link(
        _ name: FileName, in folder: OpenFile, to newName: FileName, in newFolder: OpenFile
    ) throws(FileError) -> RenameOutcome {
        try count(.link, name)
        if missing.contains(.link) { return .unsupported }
        guard try areOnOneFileSystem(folder, newFolder) else { return .otherFileSystem }
        return try base.link(name, in: folder, to: newName, in: newFolder)
    }
    package func remove(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool {
        try count(.remove, name)
        return try base.remove(name, in: folder)
    }
    package func synchronize(_ file: OpenFile, _ extent: SynchronizationExtent) throws(FileError) {
        let name = try isForeign(file) ? Self.everythingForeign : Self.everything
        try count(.synchronize, extent == .fileSystem ? name : "")
        if synchronizes { try base.synchronize(file, extent) }
    }
    package func lock(_ file: OpenFile) throws(FileError) -> Bool {
        try count(.lock)
        return try base.lock(file)
    }
    package func unlock(_ file: OpenFile) { base.unlock(file) }
    package func time() throws(FileError) -> FileTime {
        try count(.readClock)
        return hasFineClock ? FileTime(seconds: .max, nanoseconds: 0) : try base.time()
    }
}
