internal import LosslessYAML
internal import TodoModel

/// The append-only file `.todosync/journal`.
///
/// A line a record: the CRC-32 of the record in eight hexadecimal digits, a space, the record as JSON, `\n`.
/// What follows the last good line was being written when the machine stopped, and is cut off by the next
/// writer.
struct Journal {
    static let name = FileName("journal")
    private let file: OpenFile
    private let fileSystem: any FileSystem

    /// What was read of a journal.
    struct Contents {
        var state = State()
        /// Where the last good line ends.
        var goodLength = 0
        var length = 0
        /// The number of the first line that is not good.
        var badLine: Int?
    }

    /// Opens the journal for writing, and makes it if there is none.
    init(in folder: OpenFile, _ fileSystem: any FileSystem) throws(FileError) {
        guard let file = try fileSystem.open(Self.name, in: folder, for: .appending) else {
            throw FileError(.open, ".todosync/journal", code: 0)
        }
        self.file = file
        self.fileSystem = fileSystem
    }

    /// Reads the journal of a folder; an absent one is empty.
    static func read(in folder: OpenFile, _ fileSystem: any FileSystem) throws(FileError) -> Contents {
        guard let file = try fileSystem.open(name, in: folder, for: .reading) else { return Contents() }
        let size = Int(try fileSystem.status(of: file).stamp.size)
        return contents(of: try fileSystem.read(file, from: 0, atMost: size))
    }

    /// Folds a journal's bytes.
    static func contents(of bytes: [UInt8]) -> Contents {
        var contents = Contents()
        contents.length = bytes.count
        var line = 1
        while contents.goodLength < bytes.count {
            let start = contents.goodLength
            guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")),
                let record = record(in: bytes[start..<end])
            else {
                contents.badLine = line
                return contents
            }
            contents.state.apply(record)
            contents.goodLength = end + 1
            line += 1
        }
        return contents
    }

    private static func record(in line: ArraySlice<UInt8>) -> JournalRecord? {
        guard line.count > 9, line[line.startIndex + 8] == UInt8(ascii: " "),
            let checksum = UInt32(String(decoding: line.prefix(8), as: UTF8.self), radix: 16)
        else { return nil }
        let body = Array(line.dropFirst(9))
        guard checksum == Checksum.of(body), let value = try? JSON.read(body, maximumSize: .max) else {
            return nil
        }
        return JournalRecord(value)
    }

    /// Cuts off what follows the last good line.
    func truncate(to length: Int) throws(FileError) {
        try fileSystem.truncate(file, to: length)
    }

    /// Writes records at the end, in one piece.
    func append(_ records: [JournalRecord]) throws(FileError) {
        var bytes: [UInt8] = []
        for record in records {
            let body = JSON.write(record.value)
            let checksum = String(Checksum.of(body), radix: 16)
            bytes += Array(repeating: UInt8(ascii: "0"), count: 8 - checksum.utf8.count)
            bytes += checksum.utf8
            bytes.append(UInt8(ascii: " "))
            bytes += body
            bytes.append(UInt8(ascii: "\n"))
        }
        try fileSystem.write(bytes, to: file)
    }

    /// Returns when all that was appended is on the disk.
    func synchronize() throws(FileError) {
        try fileSystem.synchronize(file, .content)
    }
}
