internal import Values

/// The parsed beginning of a cache, and the positions of its other parts.
///
/// Only the beginning is parsed; of the other parts, only the checksum is computed, which doesn't guarantee
/// that they are valid. So whoever reads them must check positions.
struct CacheContent {
    let contents: FileContents
    private(set) var journalInode: UInt64 = 0
    private(set) var journalBeginning = JournalBeginning()
    private(set) var tailChecksum: UInt32 = 0
    private(set) var device: UInt64 = 0
    private(set) var operationCount = 0
    private(set) var firstTime: String?
    private(set) var records: [(record: JournalRecord, textLocations: TextLocations)] = []
    /// The position of the entries.
    private(set) var entries = 0..<0
    /// The position of the indices of the unusual entries.
    private(set) var unusual = 0..<0
    /// The position of the indices of the entries with UUIDs, sorted by UUID.
    private(set) var uuidOrder = 0..<0
    private(set) var paths = 0..<0
    private(set) var texts = 0..<0

    /// Parses a cache; nil if the bytes aren't a cache or don't match their checksum.
    init?(_ contents: FileContents) {
        let body = contents.bytes.dropFirst(Cache.headSize)
        self.init(contents, checksum: Checksum.of(UnsafeRawBufferPointer(rebasing: body)))
    }

    /// Parses a cache whose checksum was computed while it was read; nil if it doesn't match.
    private init?(_ contents: FileContents, checksum: UInt32) {
        self.contents = contents
        let bytes = contents.bytes
        guard bytes.count > Cache.headSize, bytes.starts(with: Cache.magic) else { return nil }
        let written = bytes.loadUnaligned(fromByteOffset: Cache.magic.count, as: UInt32.self)
        guard checksum == UInt32(littleEndian: written), read(bytes) else { return nil }
    }

    /// Reads a cache from its file; nil if it isn't a cache or doesn't match its checksum.
    ///
    /// - Parameter journalSize: The size of the journal, which a cache isn't much larger than.
    static func read(
        _ file: OpenFile, journalSize: Int64, _ fileSystem: any FileSystem
    ) throws(FileError) -> CacheContent? {
        let size = try fileSystem.status(of: file).stamp.size
        guard size >> 2 <= journalSize + 1 << 20 else { return nil }
        var (checksum, headSize) = (UInt32(0), Cache.headSize)
        let contents = try FileContents(of: file, size: Int(clamping: size), fileSystem) { part in
            part.withUnsafeBytes { bytes in
                let body = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(headSize))
                checksum = Checksum.of(body, behind: checksum)
                headSize = max(0, headSize - bytes.count)
            }
        }
        return CacheContent(contents, checksum: checksum)
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var reader = ByteReader(bytes, from: Cache.headSize)
        let inode = reader.range(of: 8)
        guard inode.count == 8 else { return false }
        journalInode = bytes.loadUnaligned(fromByteOffset: inode.lowerBound, as: UInt64.self)
        journalBeginning = JournalBeginning(
            length: reader.count(), checksum: UInt32(truncatingIfNeeded: reader.number()))
        tailChecksum = UInt32(truncatingIfNeeded: reader.number())
        device = reader.number()
        operationCount = reader.count()
        if reader.byte() != 0 { firstTime = reader.string() }
        for _ in 0..<reader.count() {
            guard reader.isGood else { return false }
            let line = Array(bytes[reader.countedRange()])
            guard let record = JournalLines(line).first(where: { _ in true })?.record else { return false }
            records.append(
                (record, TextLocations(base: Self.textLocation(&reader), sent: Self.textLocation(&reader))))
        }
        let counts = (0..<5).map { _ in reader.count() }
        guard reader.isGood, counts[0] <= Int(UInt32.max) else { return false }
        entries = reader.range(of: counts[0] * Cache.Entry.byteCount)
        unusual = reader.range(of: counts[1] * 4)
        uuidOrder = reader.range(of: counts[2] * 4)
        paths = reader.range(of: counts[3])
        texts = reader.range(of: counts[4])
        return reader.isAtEnd
    }

    private static func textLocation(_ reader: inout ByteReader) -> TextLocation? {
        let length = reader.count()
        if length == 0 { return nil }
        let start = reader.count()
        return TextLocation(line: start..<start + length, isSent: reader.byte() != 0)
    }
}

extension Cache {
    /// A todo with nothing but a base version, as the cache stores it.
    ///
    /// Numbers have the machine's byte order. A machine with a different one doesn't find its journal's inode
    /// in the cache.
    struct Entry {
        /// The UUID's bytes; only with ``Flags/isUUID``.
        var uuid: (UInt64, UInt64) = (0, 0)
        /// The position of the base version's text in the journal.
        var line: UInt64 = 0
        /// The inode of the file that equals the base version; valid only with ``Flags/hasStamp``, as is what
        /// follows up to ``size``.
        var inode: UInt64 = 0
        /// The modification time in nanoseconds since 1970-01-01T00:00:00Z; ``changed`` has the same unit.
        var modified: Int64 = 0
        var changed: Int64 = 0
        var size: UInt32 = 0
        var lineLength: UInt32 = 0
        /// The position in the cache's paths of the path, or of the former path if the todo isn't kept here.
        var path: UInt32 = 0
        /// The position in the cache's texts of the id, if it isn't a UUID, and then of the version, if it
        /// isn't in the journal.
        var text: UInt32 = 0
        /// The length of the path; 0 for a tombstone.
        var pathLength: UInt16 = 0
        var flags: Flags = []
        private var unused: UInt8 = 0
        private var unusedToo: UInt32 = 0

        /// The number of bytes of an entry.
        static let byteCount = 72

        var isTombstone: Bool { flags.contains(.isTombstone) }
        var isNotKept: Bool { flags.contains(.isNotKept) }
        /// Whether the folder should have the todo's file.
        var hasFile: Bool { flags.isDisjoint(with: [.isTombstone, .isNotKept]) }
        /// Whether the entry is anything other than that of an unchanged file whose id is a UUID.
        var isUnusual: Bool { !hasFile || !flags.isSuperset(of: [.isUUID, .hasStamp]) }

        var textLocation: TextLocation? {
            if isTombstone { return nil }
            // A journal isn't longer than that, so the sum can't overflow.
            let start = Int(line & 0xFFFF_FFFF_FFFF)
            return TextLocation(line: start..<start + Int(lineLength), isSent: flags.contains(.isSent))
        }
    }

    struct Flags: OptionSet {
        var rawValue: UInt8
        static let hasStamp = Flags(rawValue: 1)
        /// The text was sent to the remote in an operation; its version is in the cache.
        static let isSent = Flags(rawValue: 2)
        /// The base version is a tombstone; its version is in the cache.
        static let isTombstone = Flags(rawValue: 4)
        /// The id is a UUID in lowercase.
        static let isUUID = Flags(rawValue: 8)
        /// The user purged the todo here, so it has no file.
        static let isNotKept = Flags(rawValue: 16)
    }

    /// The entries of a cache, in the order of their paths' bytes.
    struct Entries: RandomAccessCollection, Sendable {
        private let contents: FileContents
        private let start: Int
        let endIndex: Int

        init(_ content: CacheContent) {
            contents = content.contents
            start = content.entries.lowerBound
            endIndex = content.entries.count / Entry.byteCount
        }

        var startIndex: Int { 0 }

        subscript(index: Int) -> Entry {
            contents.bytes.loadUnaligned(fromByteOffset: offset(of: index), as: Entry.self)
        }

        /// Returns the UUID of an entry that has one.
        func uuid(at index: Int) -> BinaryUUID { BinaryUUID(contents.bytes, at: offset(of: index)) }

        /// Returns an entry's position in the file.
        private func offset(of index: Int) -> Int {
            precondition(indices.contains(index), "there is no such entry")
            return start + index * Entry.byteCount
        }
    }
}
