internal import LosslessYAML
internal import TodoModel

/// A cache's bytes taken apart.
struct CacheContent {
    var journalInode: UInt64 = 0
    var journalBeginning = JournalBeginning()
    var tailChecksum: UInt32 = 0
    var device: UInt64 = 0
    var operationCount = 0
    var firstTime: String?
    var records: [(record: JournalRecord, places: TextPlaces)] = []
    var entries: [Cache.Entry] = []
    /// The entries' paths, one behind the other.
    var paths: [UInt8] = []

    /// Takes a cache apart; nil if a byte of it is not as it was written.
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

    /// Returns how many bytes of the journal a cache says that it is of; nothing of it is checked.
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
        let count = reader.count()
        guard reader.isGood, count <= bytes.count else { return false }
        return readEntries(count, &reader, bytes) && reader.isAtEnd
    }

    private static func place(_ reader: inout ByteReader) -> TextPlace? {
        let length = reader.count()
        if length == 0 { return nil }
        let start = reader.count()
        return TextPlace(line: start..<start + length, isSent: reader.byte() != 0)
    }

    private mutating func readEntries(
        _ count: Int, _ reader: inout ByteReader, _ bytes: UnsafeRawBufferPointer
    ) -> Bool {
        entries.reserveCapacity(count)
        paths.reserveCapacity(bytes.count / 2)
        var previous = 0..<0
        for _ in 0..<count {
            let common = reader.count()
            let suffix = reader.countedRange()
            guard reader.isGood, common <= previous.count, suffix.count <= PathRules.maximumLength,
                paths.count < Int(UInt32.max) / 2
            else { return false }
            let start = paths.count
            for index in previous.lowerBound..<previous.lowerBound + common {
                let byte = paths[index]
                paths.append(byte)
            }
            paths.append(contentsOf: bytes[suffix])
            previous = start..<paths.count
            let flags = Cache.Flags(rawValue: reader.byte())
            var entry = Cache.Entry(
                path: UInt32(truncatingIfNeeded: start)..<UInt32(truncatingIfNeeded: paths.count),
                id: UInt32(truncatingIfNeeded: reader.offset), flags: flags)
            if flags.contains(.isUUID) {
                _ = reader.range(of: 16)
            } else {
                let id = reader.countedRange()
                guard let string = String(validating: bytes[id], as: UTF8.self), TodoID(string) != nil
                else { return false }
            }
            if flags.contains(.isSent) || flags.contains(.isTombstone) { _ = reader.countedRange() }
            if !flags.contains(.isTombstone) {
                entry.line = reader.count()
                let length = reader.count()
                guard entry.line + length <= journalBeginning.length else { return false }
                entry.lineLength = UInt32(truncatingIfNeeded: length)
            }
            if flags.contains(.hasStamp) {
                entry.size = UInt32(truncatingIfNeeded: reader.count())
                entry.inode = reader.number()
                entry.modified = reader.signedNumber()
                entry.changed = entry.modified &+ reader.signedNumber()
            }
            guard reader.isGood else { return false }
            entries.append(entry)
        }
        return true
    }
}
