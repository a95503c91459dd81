internal import LosslessYAML
internal import TodoModel

/// The append-only file `.todosync/journal`.
///
/// A line a record: the CRC-32 of the record in eight hexadecimal digits, a space, the record as JSON, `\n`.
/// What follows the last good line was being written when the machine stopped, and is cut off by the next
/// writer.
struct Journal {
    static let name = FileName("journal")
    static let path = ".todosync/journal"
    private let file: OpenFile
    private let fileSystem: any FileSystem

    /// What was read of a journal.
    struct Contents {
        var state = State()
        /// Where the last good line ends.
        var goodLength = 0
        var length = 0
        /// How many lines are good.
        var lines = 0
        /// The number of the first line that is not good.
        var badLine: Int?
    }

    /// Opens the journal for writing, and makes it if there is none.
    init(in folder: OpenFile, _ fileSystem: any FileSystem) throws(FileError) {
        guard let file = try fileSystem.open(Self.name, in: folder, for: .appending) else {
            throw FileError(.open, Self.path, code: 0)
        }
        self.file = file
        self.fileSystem = fileSystem
    }

    /// Reads the journal of a folder; an absent one is empty.
    static func read(in folder: OpenFile, _ fileSystem: any FileSystem) throws(FileError) -> Contents {
        contents(of: try bytes(in: folder, fileSystem))
    }

    /// Folds a journal's bytes.
    static func contents(of bytes: [UInt8]) -> Contents {
        var contents = Contents()
        contents.length = bytes.count
        for line in JournalLines(bytes) {
            contents.state.apply(line.record)
            contents.goodLength = line.range.upperBound
            contents.lines += 1
        }
        if contents.goodLength < bytes.count { contents.badLine = contents.lines + 1 }
        return contents
    }

    /// Returns the bytes of a folder's journal; an absent one is empty.
    static func bytes(in folder: OpenFile, _ fileSystem: any FileSystem) throws(FileError) -> [UInt8] {
        do throws(FileError) {
            guard let file = try fileSystem.open(name, in: folder, for: .reading) else { return [] }
            return try fileSystem.read(
                file, from: 0, atMost: Int(try fileSystem.status(of: file).stamp.size))
        } catch {
            throw error.at(path)
        }
    }

    /// Cuts off what follows the last good line.
    func truncate(to length: Int) throws(FileError) {
        try fileSystem.truncate(file, to: length)
    }

    /// Writes records at the end, in one piece; returns how many bytes they are.
    @discardableResult
    func append(_ records: [JournalRecord]) throws(FileError) -> Int {
        let bytes = records.flatMap(JournalLines.line)
        try fileSystem.write(bytes, to: file)
        return bytes.count
    }

    /// Returns when all that was appended is on the disk.
    func synchronize() throws(FileError) {
        try fileSystem.synchronize(file, .content)
    }
}
