/// A beginning of the journal that was checked.
struct JournalBeginning: Sendable, Hashable {
    private(set) var length = 0
    /// The CRC-32 of these bytes.
    private(set) var checksum: UInt32 = 0

    init(length: Int = 0, checksum: UInt32 = 0) {
        self.length = length
        self.checksum = checksum
    }

    /// Reads the current beginning of a journal.
    init(
        of journal: OpenFile, length: Int, _ fileSystem: any FileSystem
    ) throws(FileError) {
        // It is read in parts that fit into the processor's cache and need no new memory each time.
        while self.length < length {
            let part = try fileSystem.read(
                journal, from: self.length, atMost: min(1 << 16, length - self.length))
            if part.isEmpty { return }
            append(part[...])
        }
    }

    /// Adds the bytes that follow.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        checksum = bytes.withUnsafeBytes { Checksum.of($0, behind: checksum) }
        length += bytes.count
    }
}
