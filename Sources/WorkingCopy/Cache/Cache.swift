internal import LosslessYAML
import Platform
internal import Synchronization
package import TodoModel
internal import Values

/// The file `.todosync/cache`: the state after part of the journal, and the files that equal their base
/// versions, so neither has to be read again.
///
/// The file can be deleted at any time. A cache is used only if its checksum is valid and the journal still
/// begins with the part that it was made from; the rest of the journal is then applied on top of it. For a
/// todo with only a base version, the cache stores only the base version's position in the journal.
///
/// The file begins with `todosync cache 5`, a line feed, and the CRC-32 of everything that follows, in four
/// bytes, lowest first. Then come, as ``ByteWriter`` writes them:
/// - for the journal: its inode in eight bytes, the number of its bytes that the cache covers, their CRC-32,
///   the CRC-32 of their last 4096 bytes (of all bytes if there are fewer), which identifies the journal, and
///   the device of the journal and of all files with a stamp;
/// - the number of operations in that part; a byte that is 1 if there was an operation; and the start time of
///   the first operation, preceded by its length;
/// - the number of records, and each record as a line of the journal, preceded by its length and followed by
///   the positions of its base version's text and its sent text. The records are the format, the remote, the
///   cursor, the last accepted operation, and todos with more than a base version;
/// - the numbers of entries, of unusual entries and of entries with UUIDs, and the numbers of bytes of paths
///   and texts;
/// - the entries, in the order of their paths' bytes, each as an ``Entry``;
/// - the indices of the unusual entries, in order, and of the entries with UUIDs, sorted by UUID, four bytes
///   each, lowest first;
/// - the paths, and the texts (ids and versions), each text preceded by its length.
///
/// The entries have a fixed size, so only the entries that a command needs are parsed.
final class Cache: Sendable {
    static let fileName = FileName("cache")
    static let path = ".todosync/cache"
    static let magic = Array("todosync cache 5\n".utf8)
    static let headSize = magic.count + 4
    /// The number of bytes at the end of the covered part whose checksum identifies the journal.
    static let tailSize = 4096

    private let content: CacheContent
    let entries: Entries
    /// The part of the journal that the cache covers.
    var journalBeginning: JournalBeginning { content.journalBeginning }
    var records: [(record: JournalRecord, textLocations: TextLocations)] { content.records }
    var operationCount: Int { content.operationCount }
    var firstTime: String? { content.firstTime }
    var device: UInt64 { content.device }
    let journal: OpenFile
    /// Whether the cache was read from or written to its file.
    let isSaved: Bool
    private let root: String
    private let fileSystem: any FileSystem
    private let memory = Mutex(Memory())

    /// The results of earlier lookups.
    private struct Memory {
        /// A hash table of the ids.
        ///
        /// An element has an entry's index plus one in its low half and the id's hash value in its high half;
        /// 0 means empty.
        var table: [UInt64] = []
        /// The number of lookups so far that didn't use the table.
        var searches = 0
        var states: [Int: TodoState] = [:]
        var failure: FileError?
        /// The states according to the whole journal; nil unless the cache turned out to be wrong.
        var replacement: [TodoID: TodoState]?
    }

    init(
        _ content: CacheContent, journal: OpenFile, root: String, isSaved: Bool, fileSystem: any FileSystem
    ) {
        self.content = content
        entries = Entries(content)
        self.journal = journal
        self.isSaved = isSaved
        self.root = root
        self.fileSystem = fileSystem
    }

    /// The indices of the unusual entries, in order.
    var unusual: some Sequence<Int> {
        let range = content.unusual
        return (0..<range.count / 4).lazy.map { [self] in number($0, in: range) }
            .filter { [self] in $0 < entries.count }
    }

    /// The number of entries whose ids are UUIDs; 0 if their order wasn't written.
    var orderedCount: Int { content.uuidOrder.count / 4 }

    /// Returns the index of an entry by its position in the order of the UUIDs; nil if the cache is wrong.
    func index(inOrder position: Int) -> Int? {
        let index = number(position, in: content.uuidOrder)
        guard index < entries.count, entries[index].flags.contains(.isUUID) else { return nil }
        return index
    }

    /// Returns a number in a part of the cache that has four bytes for each.
    private func number(_ index: Int, in part: Range<Int>) -> Int {
        let offset = part.lowerBound + 4 * index
        precondition(part.contains(offset), "there is no such number")
        let number = content.contents.bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return Int(UInt32(littleEndian: number))
    }

    /// The error that prevented reading the journal.
    ///
    /// After the error, lookups behave as if the todos had never been recorded.
    var failure: FileError? { memory.withLock(\.failure) }

    /// Whether the cache contradicted the journal.
    var isWrong: Bool { memory.withLock { $0.replacement != nil } }

    // MARK: Paths

    func path(at index: Int) -> String { String(decoding: pathBytes(at: index), as: UTF8.self) }

    /// Returns an entry's path, which is valid as long as the cache.
    func pathBytes(at index: Int) -> UnsafeBufferPointer<UInt8> {
        let entry = entries[index]
        let start = content.paths.lowerBound + Int(entry.path)
        let end = start + Int(entry.pathLength)
        if end > content.paths.upperBound { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: content.contents.bytes[start..<end]).assumingMemoryBound(
            to: UInt8.self)
    }

    /// Compares an entry's path with a name in a folder: returns -1, 0 or 1 if the path sorts before, equals
    /// or sorts after it.
    func order(at index: Int, _ prefix: [UInt8], _ name: ArraySlice<UInt8>) -> Int {
        let path = pathBytes(at: index)
        return prefix.withUnsafeBufferPointer { prefix in
            name.withUnsafeBufferPointer { name in
                let order = UnsafeBufferPointer(rebasing: path.prefix(prefix.count)).order(prefix)
                if order != 0 { return order }
                return UnsafeBufferPointer(rebasing: path.dropFirst(prefix.count)).order(name)
            }
        }
    }

    /// Returns the range of entries with a path.
    func indices(at path: String) -> Range<Int> {
        let bytes = Array(path.utf8)[...]
        if bytes.isEmpty { return 0..<0 }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = low + (high - low) / 2
            if order(at: middle, [], bytes) < 0 { low = middle + 1 } else { high = middle }
        }
        var end = low
        while end < entries.count, order(at: end, [], bytes) == 0 { end += 1 }
        return low..<end
    }

    // MARK: Ids

    func id(at index: Int) -> TodoID {
        if entries[index].flags.contains(.isUUID) { return TodoID(entries.uuid(at: index)) }
        // The journal has no todo with this UUID, so an id that isn't valid shows that the cache is wrong.
        return TodoID(texts(at: index).id) ?? TodoID(.zero)
    }

    /// Returns an entry's id if it isn't a UUID, and the version that isn't in the journal.
    ///
    /// A text that the entry doesn't have is empty.
    private func texts(at index: Int) -> (id: String, version: String) {
        let entry = entries[index]
        let all = UnsafeRawBufferPointer(rebasing: content.contents.bytes[content.texts])
        var reader = ByteReader(all, from: min(Int(entry.text), all.count))
        let id = entry.flags.contains(.isUUID) ? "" : reader.string()
        return (id, entry.flags.isDisjoint(with: [.isSent, .isTombstone]) ? "" : reader.string())
    }

    /// Returns the index of a todo's entry.
    func index(of id: TodoID) -> Int? {
        if entries.isEmpty { return nil }
        let hash = UInt64(bitPattern: Int64(id.hashValue))
        return memory.withLock { memory in
            if memory.table.isEmpty {
                if let uuid = id.uuid, orderedCount > 0, memory.searches < entries.count / 32 {
                    memory.searches += 1
                    return search(uuid)
                }
                memory.table = table()
            }
            let mask = memory.table.count - 1
            var slot = Int(truncatingIfNeeded: hash) & mask
            while memory.table[slot] != 0 {
                let index = Int(UInt32(truncatingIfNeeded: memory.table[slot])) - 1
                if memory.table[slot] >> 32 == hash >> 32, self.id(at: index) == id { return index }
                slot = (slot + 1) & mask
            }
            return nil
        }
    }

    private func table() -> [UInt64] {
        var size = 16
        while size < entries.count * 2 { size *= 2 }
        var table = [UInt64](repeating: 0, count: size)
        for index in entries.indices {
            let hash = UInt64(bitPattern: Int64(id(at: index).hashValue))
            var slot = Int(truncatingIfNeeded: hash) & (size - 1)
            while table[slot] != 0 { slot = (slot + 1) & (size - 1) }
            table[slot] = (hash >> 32) << 32 | UInt64(index + 1)
        }
        return table
    }

    // MARK: States

    /// Returns the state of an entry's todo, read from the journal.
    func state(at index: Int) -> TodoState? {
        memory.withLock { memory in
            if let replacement = memory.replacement { return replacement[id(at: index)] }
            if let state = memory.states[index] { return state }
            if let state = readState(at: index) {
                memory.states[index] = state
                return state
            }
            let replacement = foldedJournal(&memory.failure)
            memory.replacement = replacement
            return replacement[id(at: index)]
        }
    }

    /// Loads the states of some entries' todos, so that ``state(at:)`` returns them without reading the
    /// journal.
    func readAhead(_ indices: [Int]) {
        let missing = memory.withLock { memory in
            memory.replacement == nil ? indices.filter { memory.states[$0] == nil } : []
        }
        let states = mapConcurrently(missing) { self.readState(at: $0) }
        memory.withLock { memory in
            for (index, state) in zip(missing, states) { memory.states[index] = state }
        }
    }

    /// Returns the states of some entries' todos, without keeping them in memory.
    func states(at indices: [Int]) -> [TodoState?] {
        let read = isWrong ? [] : mapConcurrently(indices) { self.readState(at: $0) }
        guard read.isEmpty || read.contains(where: { $0 == nil }) else { return read }
        // A state that can't be read shows that the whole cache is wrong; the first such lookup replaces the
        // cache.
        for (index, state) in zip(indices, read) where state == nil { _ = self.state(at: index) }
        return indices.map(state(at:))
    }

    private func readState(at index: Int) -> TodoState? {
        let entry = entries[index]
        var state = TodoState()
        guard let location = entry.textLocation else {
            state.base = .deleted(version(at: index))
            return state
        }
        guard let base = readBase(at: index, location) else { return nil }
        state.base = .todo(base)
        if entry.isNotKept {
            (state.formerLocalPath, state.origin) = (path(at: index), .notKept)
        } else {
            state.localPath = path(at: index)
        }
        state.textLocations.base = location
        return state
    }

    /// Returns the base version of an entry's todo, read from the journal; nil if the cache is wrong.
    private func readBase(at index: Int, _ location: TextLocation) -> RemoteTodo? {
        guard location.line.upperBound <= journalBeginning.length,
            let line = try? fileSystem.read(
                journal, from: location.line.lowerBound, atMost: location.line.count),
            let record = JournalLines(line).first(where: { _ in true })?.record
        else { return nil }
        return record.text(of: id(at: index), sentAs: location.isSent ? version(at: index) : nil)
    }

    /// Returns the cached version of a tombstone or of a sent operation.
    func version(at index: Int) -> Version { Version(texts(at: index).version) }

    /// Returns the states according to the whole journal.
    ///
    /// If part of the journal is damaged, no base version is trusted, because the damaged part might have had
    /// newer versions.
    private func foldedJournal(_ failure: inout FileError?) -> [TodoID: TodoState] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try Journal.bytes(
                of: journal, from: 0, size: Int(try fileSystem.status(of: journal).stamp.size), fileSystem)
        } catch {
            failure = error.at(Journal.path)
            return [:]
        }
        let contents = Journal.contents(of: bytes)
        let todos = contents.state.todos.loaded
        if !contents.isDamaged { return todos }
        return todos.mapValues { todo in
            var todo = todo
            todo.forgetBase()
            return todo
        }
    }

    /// Returns the text of an entry's file, which equals its base version.
    func text(at index: Int) -> [UInt8]? {
        let (isWrong, loaded) = memory.withLock { ($0.replacement != nil, $0.states[index]) }
        if !isWrong {
            if let bytes = loaded?.base?.todo?.bytes { return bytes }
            // Usually, each text is requested only once, so it isn't kept.
            if let location = entries[index].textLocation, let base = readBase(at: index, location) {
                return base.bytes
            }
        }
        // A text that can't be read shows that the cache is wrong; this lookup then replaces the cache.
        _ = state(at: index)
        let path = path(at: index)
        guard let file = try? lookAtFiles([path], root: root, fileSystem: fileSystem).first,
            case .read(let bytes)? = file?.content
        else { return nil }
        return bytes
    }
}

extension JournalRecord {
    /// Returns a todo's text in a record, with its version and path.
    ///
    /// - Parameter version: The version that the remote assigned to the sent text; nil for a text from the
    ///   remote, because that text's record has the version.
    fileprivate func text(of id: TodoID, sentAs version: Version?) -> RemoteTodo? {
        switch (self, version) {
        case (.announced(let edit), nil) where edit.id == id: edit.remote?.todo
        case (.confirmed(id, let remote, _, _), nil): remote.todo
        case (.remembered(id, let todo), nil): todo.base?.todo
        case (.sent(id, let sent), let version?): sent.confirmed(version)
        case (.remembered(id, let todo), let version?): todo.sent?.confirmed(version)
        default: nil
        }
    }
}

extension Cache {
    /// Returns how many of the entries' UUIDs come before an id; nil if the cache is wrong.
    func position(of id: TodoID) -> Int? {
        var (low, high) = (0, orderedCount)
        while low < high {
            let middle = low + (high - low) / 2
            guard let index = index(inOrder: middle) else { return nil }
            let isBefore = id.uuid.map { entries.uuid(at: index) < $0 } ?? (self.id(at: index) < id)
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the index of a UUID's entry by binary search, which is faster than a table for a few lookups.
    func search(_ uuid: BinaryUUID) -> Int? {
        guard let position = position(of: TodoID(uuid)), position < orderedCount,
            let index = index(inOrder: position)
        else { return nil }
        return entries.uuid(at: index) == uuid ? index : nil
    }
}

extension UnchangedFiles {
    /// Returns the ids directly before and after an id, among the files' ids that have an order.
    ///
    /// This takes logarithmic time, because the cache contains the UUIDs in order. The other ids are in
    /// ``unorderedIDs``.
    package func neighbors(of id: TodoID) -> [TodoID] {
        guard let cache, let position = cache.position(of: id) else { return [] }
        let before = (0..<position).reversed().lazy.compactMap { presentID(inOrder: $0, of: cache) }.first
        let after = (position..<cache.orderedCount).lazy.compactMap { presentID(inOrder: $0, of: cache) }
            .first { $0 != id }
        return [before, after].compactMap(\.self)
    }

    /// The ids that ``neighbors(of:)`` doesn't search: the ids that aren't UUIDs, or all ids if the cache
    /// has no order.
    package var unorderedIDs: [TodoID] {
        guard let cache else { return [] }
        if cache.orderedCount == 0 { return entries.indices.map(cache.id) }
        return cache.unusual.filter { contains($0) && !cache.entries[$0].flags.contains(.isUUID) }.map(
            cache.id)
    }

    private func presentID(inOrder position: Int, of cache: Cache) -> TodoID? {
        guard let index = cache.index(inOrder: position), contains(index) else { return nil }
        return cache.id(at: index)
    }
}
