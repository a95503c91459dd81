/// A prefix of the journal, identified by its length and its checksum.
struct JournalBeginning: Sendable, Hashable {
    private(set) var length = 0
    /// The CRC-32 of the prefix.
    private(set) var checksum: UInt32 = 0

    init(length: Int = 0, checksum: UInt32 = 0) {
        self.length = length
        self.checksum = checksum
    }

    /// Reads the journal up to a length; the prefix is shorter if the journal is.
    init(
        of journal: OpenFile, length: Int, _ fileSystem: any FileSystem
    ) throws(FileError) {
        // Read in parts that fit the processor's cache and reuse the same memory.
        while self.length < length {
            let part = try fileSystem.read(
                journal, from: self.length, atMost: min(1 << 16, length - self.length))
            if part.isEmpty { return }
            append(part[...])
        }
    }

    /// Adds the next bytes.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        checksum = bytes.withUnsafeBytes { Checksum.of($0, behind: checksum) }
        length += bytes.count
    }
}
