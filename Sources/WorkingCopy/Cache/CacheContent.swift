internal import LosslessYAML
internal import TodoModel

/// The parsed contents of a cache.
struct CacheContent {
    var journalInode: UInt64 = 0
    var journalBeginning = JournalBeginning()
    var tailChecksum: UInt32 = 0
    var device: UInt64 = 0
    var operationCount = 0
    var firstTime: String?
    var records: [(record: JournalRecord, places: TextPlaces)] = []
    var entries: [Cache.Entry] = []
    /// The entries' paths, concatenated in the entries' order.
    var paths: [UInt8] = []
    /// The range of the bytes that has the entries' indices, sorted by UUID.
    var uuidOrder = 0..<0

    /// Parses a cache; nil if the bytes aren't a valid cache or don't match their checksum.
    init?(_ bytes: [UInt8]) {
        let isRead = bytes.withUnsafeBytes { bytes in
            guard bytes.count > Cache.headSize, bytes.starts(with: Cache.magic) else { return false }
            let checksum = bytes.loadUnaligned(fromByteOffset: Cache.magic.count, as: UInt32.self)
            let rest = UnsafeRawBufferPointer(rebasing: bytes[Cache.headSize...])
            guard Checksum.of(rest) == UInt32(littleEndian: checksum) else { return false }
            return read(bytes)
        }
        if !isRead { return nil }
    }

    /// Returns the number of journal bytes that a cache claims to cover, without validating the cache.
    static func journalLength(in bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { bytes in
            guard bytes.count > Cache.headSize else { return 0 }
            var reader = ByteReader(bytes, from: Cache.headSize)
            _ = reader.number()
            return reader.count()
        }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var reader = ByteReader(bytes, from: Cache.headSize)
        journalInode = reader.number()
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
            records.append((record, TextPlaces(base: Self.place(&reader), sent: Self.place(&reader))))
        }
        guard readEntries(&reader, bytes) else { return false }
        uuidOrder = reader.range(of: 4 * reader.count())
        return reader.isAtEnd
    }

    private static func place(_ reader: inout ByteReader) -> TextPlace? {
        let length = reader.count()
        if length == 0 { return nil }
        let start = reader.count()
        return TextPlace(line: start..<start + length, isSent: reader.byte() != 0)
    }

    /// Reads the entries into memory that is allocated once and left uninitialized, because there can be many
    /// entries.
    private mutating func readEntries(_ reader: inout ByteReader, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = reader.count()
        let pathSize = reader.count()
        guard reader.isGood, count <= bytes.count, pathSize <= count * PathRules.maximumLength,
            pathSize <= Int(UInt32.max) / 2
        else { return false }
        let journalLength = journalBeginning.length
        var isGood = true
        paths = [UInt8](unsafeUninitializedCapacity: pathSize) { paths, pathsEnd in
            entries = [Cache.Entry](unsafeUninitializedCapacity: count) { entries, entryCount in
                var previous = 0..<0
                while isGood, entryCount < count {
                    guard let path = Self.readPath(&reader, bytes, after: previous, into: paths),
                        let entry = Self.readEntry(&reader, bytes, path, journalLength: journalLength)
                    else {
                        isGood = false
                        break
                    }
                    entries.initializeElement(at: entryCount, to: entry)
                    entryCount += 1
                    previous = path
                }
                pathsEnd = previous.upperBound
            }
        }
        return isGood && paths.count == pathSize
    }

    /// Appends the next path, which can share a prefix with the previous one, and returns its range.
    private static func readPath(
        _ reader: inout ByteReader, _ bytes: UnsafeRawBufferPointer, after previous: Range<Int>,
        into paths: UnsafeMutableBufferPointer<UInt8>
    ) -> Range<Int>? {
        let common = reader.count()
        let suffix = reader.countedRange()
        let start = previous.upperBound
        guard reader.isGood, common <= previous.count, suffix.count <= PathRules.maximumLength,
            common + suffix.count <= paths.count - start
        else { return nil }
        let all = UnsafeMutableRawBufferPointer(paths)
        let beginning = UnsafeRawBufferPointer(
            rebasing: all[previous.lowerBound..<previous.lowerBound + common])
        UnsafeMutableRawBufferPointer(rebasing: all[start...]).copyMemory(from: beginning)
        UnsafeMutableRawBufferPointer(rebasing: all[(start + common)...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[suffix]))
        return start..<start + common + suffix.count
    }

    private static func readEntry(
        _ reader: inout ByteReader, _ bytes: UnsafeRawBufferPointer, _ path: Range<Int>, journalLength: Int
    ) -> Cache.Entry? {
        let flags = Cache.Flags(rawValue: reader.byte())
        var entry = Cache.Entry(
            path: UInt32(truncatingIfNeeded: path.lowerBound)..<UInt32(truncatingIfNeeded: path.upperBound),
            id: UInt32(truncatingIfNeeded: reader.offset), flags: flags)
        if flags.contains(.isUUID) {
            _ = reader.range(of: 16)
        } else {
            let id = reader.countedRange()
            guard let string = String(validating: bytes[id], as: UTF8.self), TodoID(string) != nil
            else { return nil }
        }
        if flags.contains(.isSent) || flags.contains(.isTombstone) { _ = reader.countedRange() }
        if !flags.contains(.isTombstone) {
            entry.line = reader.count()
            let length = reader.count()
            guard entry.line + length <= journalLength else { return nil }
            entry.lineLength = UInt32(truncatingIfNeeded: length)
        }
        if flags.contains(.hasStamp) {
            entry.size = UInt32(truncatingIfNeeded: reader.count())
            entry.inode = reader.number()
            entry.modified = reader.signedNumber()
            entry.changed = entry.modified &+ reader.signedNumber()
        }
        return reader.isGood ? entry : nil
    }
}
