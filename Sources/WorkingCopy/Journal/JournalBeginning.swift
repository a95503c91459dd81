/// A beginning of the journal, as it was found to be good.
struct JournalBeginning: Sendable, Hashable {
    private(set) var length = 0
    /// The CRC-32 of these bytes.
    private(set) var checksum: UInt32 = 0

    init(length: Int = 0, checksum: UInt32 = 0) {
        self.length = length
        self.checksum = checksum
    }

    /// Takes in what follows.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        checksum = bytes.withUnsafeBytes { Checksum.of($0, behind: checksum) }
        length += bytes.count
    }
}
