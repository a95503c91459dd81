internal import LosslessYAML
package import TodoModel
internal import Values

/// A todo's file as it was read from the working directory.
package struct StampedFile: Sendable {
    package var id: TodoID
    package var path: String
    package var bytes: [UInt8]
    package var stamp: FileStamp

    package init(id: TodoID, path: String, bytes: [UInt8], stamp: FileStamp) {
        self.id = id
        self.path = path
        self.bytes = bytes
        self.stamp = stamp
    }
}

/// Encodes a state as the bytes of a ``Cache``.
struct CacheText {
    private(set) var bytes: [UInt8]
    private var writer = ByteWriter()
    private let state: State
    private let device: UInt64
    private var entries: [UInt8] = []
    private var entryCount: UInt32 = 0
    private var unusual: [UInt32] = []
    private var paths: [UInt8] = []
    private var texts = ByteWriter()
    /// The entries whose files equal their base versions.
    private(set) var unchanged: EntrySet
    private let oldUnchanged: UnchangedFiles
    private let ordersUUIDs: Bool
    /// The entries' UUIDs, with the indices of their entries.
    private var uuids: [(uuid: BinaryUUID, index: UInt32)] = []

    /// Encodes a state.
    ///
    /// - Parameters:
    ///   - file: Returns the file of a loaded todo, if it was read.
    ///   - unchanged: The cache's entries whose files are known to equal their base versions.
    ///   - beginning: The part of the journal that was read.
    ///   - tail: The last bytes of that part, up to ``Cache/tailSize``; nil for an in-memory cache, which
    ///     builds a hash table instead of writing the UUIDs' order.
    init(
        _ state: State, _ file: @escaping @Sendable (TodoID) -> StampedFile?, _ unchanged: UnchangedFiles,
        journal: FileStamp, _ beginning: JournalBeginning, tail: [UInt8]?
    ) {
        self.state = state
        device = journal.device
        oldUnchanged = unchanged
        self.unchanged = EntrySet(below: state.todos.loaded.count + (state.todos.cache?.entries.count ?? 0))
        ordersUUIDs = tail != nil
        bytes = []
        let made = mapConcurrently(Array(state.todos.loaded)) {
            [cache = state.todos.cache, device] id, todo in
            NewEntry(id, todo, file(id), cache, device: device)
        }
        let others = zip(state.todos.loaded, made).filter { $1 == nil }.map { todo, _ in
            (JournalRecord.remembered(id: todo.key, todo.value), todo.value.textLocations)
        }
        writeHead(journal, beginning, tail ?? [])
        writeRecords(others)
        write(made.compactMap(\.self).sorted(byBytesOf: \.path))
        writeParts()
        let checksum = writer.bytes.withUnsafeBytes { Checksum.of($0) }
        bytes = Cache.magic
        withUnsafeBytes(of: checksum.littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: writer.bytes)
    }

    private mutating func writeHead(_ journal: FileStamp, _ beginning: JournalBeginning, _ tail: [UInt8]) {
        withUnsafeBytes(of: journal.inode) { writer.write(bytes: $0) }
        writer.write(beginning.length)
        writer.write(UInt64(beginning.checksum))
        writer.write(UInt64(Checksum.of(tail)))
        writer.write(device)
        writer.write(state.operationCount)
        writer.write(bytes: [state.firstTime == nil ? 0 : 1])
        if let time = state.firstTime { writer.write(counted: time.utf8) }
    }

    private mutating func writeRecords(_ others: [(JournalRecord, TextLocations)]) {
        let records = state.recordsBesidesTodos.map { ($0, TextLocations()) } + others
        writer.write(records.count)
        for (record, textLocations) in records {
            writer.write(counted: JournalLines.line(record))
            write(textLocations.base)
            write(textLocations.sent)
        }
    }

    private mutating func write(_ location: TextLocation?) {
        guard let location else { return writer.write(0) }
        writer.write(location.line.count)
        writer.write(location.line.lowerBound)
        writer.write(bytes: [location.isSent ? 1 : 0])
    }

    // MARK: Entries

    /// Writes the old cache's remaining entries and the new entries, sorted by path.
    private mutating func write(_ new: [NewEntry]) {
        let cached = Array(state.todos.cached)
        entries.reserveCapacity((cached.count + new.count) * Cache.Entry.byteCount)
        var rest = cached[...]
        for entry in new {
            let path = Array(entry.path.utf8)[...]
            while let index = rest.first, let cache = state.todos.cache, cache.order(at: index, [], path) <= 0
            {
                write(index, of: cache)
                rest = rest.dropFirst()
            }
            write(entry, path)
        }
        for index in rest { if let cache = state.todos.cache { write(index, of: cache) } }
    }

    private mutating func write(_ new: NewEntry, _ path: ArraySlice<UInt8>) {
        var entry = Cache.Entry()
        entry.flags = new.flags
        entry.setLine(new.line)
        entry.setStamp(new.stamp)
        path.withUnsafeBufferPointer {
            write(entry, $0, new.id, version: new.version, isUnchanged: new.isUnchanged)
        }
    }

    private mutating func write(_ index: Int, of cache: Cache) {
        var entry = cache.entries[index]
        let hasVersion = !entry.flags.isDisjoint(with: [.isSent, .isTombstone])
        if cache.device != device { entry.setStamp(nil) }
        write(
            entry, cache.pathBytes(at: index), cache.id(at: index),
            version: hasVersion ? cache.version(at: index) : nil,
            isUnchanged: oldUnchanged.isOf(cache) && oldUnchanged.contains(index))
    }

    /// Writes an entry whose path, id and version aren't set yet.
    private mutating func write(
        _ entry: Cache.Entry, _ path: UnsafeBufferPointer<UInt8>, _ id: TodoID, version: Version?,
        isUnchanged: Bool
    ) {
        var entry = entry
        entry.path = UInt32(truncatingIfNeeded: paths.count)
        entry.pathLength = UInt16(truncatingIfNeeded: path.count)
        entry.text = UInt32(truncatingIfNeeded: texts.bytes.count)
        paths.append(contentsOf: path)
        if let uuid = id.uuid {
            entry.set(uuid)
            if ordersUUIDs { uuids.append((uuid, entryCount)) }
        } else {
            entry.flags.remove(.isUUID)
            texts.write(counted: id.string.utf8)
        }
        if let version { texts.write(counted: version.string.utf8) }
        if isUnchanged, entry.flags.contains(.hasStamp) { unchanged.insert(Int(entryCount)) }
        if entry.isUnusual { unusual.append(entryCount) }
        withUnsafeBytes(of: entry) { entries.append(contentsOf: $0) }
        entryCount += 1
    }

    private mutating func writeParts() {
        uuids.sort { $0.uuid < $1.uuid }
        for count in [Int(entryCount), unusual.count, uuids.count, paths.count, texts.bytes.count] {
            writer.write(count)
        }
        writer.write(bytes: entries)
        for index in unusual + uuids.map(\.index) {
            withUnsafeBytes(of: index.littleEndian) { writer.write(bytes: $0) }
        }
        writer.write(bytes: paths)
        writer.write(bytes: texts.bytes)
    }
}

extension Cache.Entry {
    fileprivate mutating func set(_ uuid: BinaryUUID) {
        flags.insert(.isUUID)
        let bytes = uuid.bytes
        self.uuid = bytes.withUnsafeBytes { $0.loadUnaligned(as: (UInt64, UInt64).self) }
    }

    fileprivate mutating func setLine(_ line: Range<Int>?) {
        guard let line else { return }
        self.line = UInt64(line.lowerBound)
        lineLength = UInt32(truncatingIfNeeded: line.count)
    }

    fileprivate mutating func setStamp(_ stamp: CacheStamp?) {
        guard let stamp else {
            flags.remove(.hasStamp)
            return
        }
        flags.insert(.hasStamp)
        (size, inode, modified, changed) = (stamp.size, stamp.inode, stamp.modified, stamp.changed)
    }
}

/// An entry that the old cache doesn't have, or has with different contents.
private struct NewEntry: Sendable {
    /// The path, or the former path of a todo that isn't kept here; empty for a deleted todo.
    var path = ""
    var id: TodoID
    var flags: Cache.Flags
    var version: Version?
    var line: Range<Int>?
    var stamp: CacheStamp?
    /// Whether the file was found to equal the base version.
    var isUnchanged = false

    /// Creates the entry of a todo; nil if an entry can't hold what is recorded.
    init?(_ id: TodoID, _ todo: TodoState, _ file: StampedFile?, _ cache: Cache?, device: UInt64) {
        guard todo.held == nil, todo.conflict == nil, todo.sent == nil,
            todo.origin == nil || todo.isNotKept, !todo.isPathLocalOnly
        else { return nil }
        self.id = id
        switch todo.base {
        case .deleted(let version)?:
            guard todo.localPath == nil, let version else { return nil }
            flags = .isTombstone
            self.version = version
        case .todo(let base)?:
            guard let localPath = todo.lastLocalPath, !localPath.isEmpty, let text = todo.textLocations.base,
                (todo.localPath == nil) == todo.isNotKept
            else { return nil }
            path = localPath
            flags = text.isSent ? .isSent : []
            if todo.isNotKept { flags.insert(.isNotKept) }
            if text.isSent { version = base.version }
            line = text.line
            if todo.isNotKept { break }
            if let file, todo.isBase(file) {
                stamp = CacheStamp(file.stamp, device: device)
                isUnchanged = true
            } else if let cache, let index = cache.index(of: id), cache.entries[index].textLocation == text,
                cache.path(at: index).isSameBytes(as: localPath)
            {
                // The stamp in the old cache is still valid.
                stamp = cache.stamp(at: index, device: device)
            }
        case nil: return nil
        }
    }
}

/// A file's stamp as the cache stores it.
struct CacheStamp: Equatable {
    var size: UInt32
    var inode: UInt64
    /// The modification time in nanoseconds since 1970-01-01T00:00:00Z; ``changed`` has the same unit.
    var modified: Int64
    var changed: Int64

    /// Creates the stamp that the cache stores for a file; nil if the file's stamp is unreliable, from a
    /// different device, or out of range.
    init?(_ stamp: FileStamp, device: UInt64) {
        guard stamp != .unreliable, stamp.device == device, let size = UInt32(exactly: stamp.size),
            let modified = stamp.modified.inNanoseconds, let changed = stamp.changed.inNanoseconds
        else { return nil }
        self.size = size
        inode = stamp.inode
        self.modified = modified
        self.changed = changed
    }

    init(_ entry: Cache.Entry) {
        size = entry.size
        inode = entry.inode
        modified = entry.modified
        changed = entry.changed
    }
}

extension FileTime {
    /// The time in nanoseconds since 1970-01-01T00:00:00Z; nil if it is out of range.
    fileprivate var inNanoseconds: Int64? {
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowsAgain) = product.addingReportingOverflow(Int64(nanoseconds))
        return overflows || overflowsAgain ? nil : sum
    }
}

extension Cache {
    /// Returns the stamp of an entry's file; nil if the entry has no stamp, or a stamp from a different
    /// device.
    fileprivate func stamp(at index: Int, device: UInt64) -> CacheStamp? {
        guard entries[index].flags.contains(.hasStamp), self.device == device else { return nil }
        return CacheStamp(entries[index])
    }
}
