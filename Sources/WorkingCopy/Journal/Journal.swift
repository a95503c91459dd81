internal import Logging
internal import LosslessYAML
internal import TodoModel
internal import Values

/// The append-only file `.todosync/journal`.
///
/// A record is a line: the CRC-32 of the record in eight hexadecimal digits, a space, the record as JSON, and
/// `\n`. Bytes after the last good line were being written when the machine stopped, and the next command
/// that writes removes them.
struct Journal {
    static let name = FileName("journal")
    static let path = ".todosync/journal"
    let file: OpenFile
    let fileSystem: any FileSystem
    /// Receives each appended record.
    let logger: Logger?

    /// The result of reading a journal.
    struct Contents {
        var state = State()
        /// The journal's stamp before it was read; nil if it is missing.
        var stamp: FileStamp?
        /// The offset after the last good line.
        var goodLength = 0
        var length = 0

        /// Whether any bytes follow the last good line.
        var isDamaged: Bool { goodLength < length }

        /// Applies bytes of the journal that follow those already applied.
        mutating func take(_ bytes: [UInt8], progress: Progress.Reporter? = nil) {
            let counter = progress.map { ProgressCounter(.reading, .bytes, total: bytes.count, $0) }
            let start = goodLength
            length = start + bytes.count
            for line in JournalLines(bytes) {
                let range = start + line.range.lowerBound..<start + line.range.upperBound
                state.apply(line.record, at: range)
                counter?.add(range.count)
                goodLength = range.upperBound
            }
            state.check(bytes[..<(goodLength - start)])
        }
    }

    /// Opens the journal for appending, and creates it if it is missing.
    init(in folder: OpenFile, _ fileSystem: any FileSystem, logger: Logger? = nil) throws(FileError) {
        do throws(FileError) {
            guard let file = try fileSystem.open(Self.name, in: folder, for: .appending) else {
                throw FileError(.open, Self.path, code: 0)
            }
            self.file = file
        } catch {
            throw error.at(Self.path)
        }
        self.fileSystem = fileSystem
        self.logger = logger
    }

    /// Reads the journal of a working directory, or its cache and the rest of the journal.
    ///
    /// A missing journal counts as empty.
    ///
    /// - Parameters:
    ///   - folder: `.todosync`.
    ///   - check: Whether to check the whole part of the journal that the cache covers.
    static func read(
        in folder: OpenFile, root: String, usingCache: Bool, checking check: WholeCheck = .never,
        progress: Progress.Reporter? = nil, _ fileSystem: any FileSystem
    ) throws(FileError) -> Contents {
        do throws(FileError) {
            var contents = Contents()
            guard let file = try fileSystem.open(name, in: folder, for: .reading) else { return contents }
            let stamp = try fileSystem.status(of: file).stamp
            contents.stamp = stamp
            if usingCache,
                let cache = Cache.read(
                    in: folder, root: root, journal: file, checksAll: check.applies(to: stamp), fileSystem)
            {
                contents.state = State(cache)
                contents.goodLength = cache.journalBeginning.length
            }
            contents.state.journal = file
            let size = Int(try fileSystem.status(of: file).stamp.size)
            contents.take(
                try bytes(of: file, from: contents.goodLength, size: size, fileSystem), progress: progress)
            contents.length = max(contents.length, size)
            return contents
        } catch {
            throw error.at(path)
        }
    }

    /// Whether to check the whole part of the journal that the cache covers.
    enum WholeCheck {
        /// A reader trusts the cache.
        case never
        /// A writer trusts the cache only if the journal is the one that the last operation left, with this
        /// length. Otherwise, it might append records after damage, and these records would be lost along
        /// with the cache.
        case ifUnsealed(JournalLength?)

        fileprivate func applies(to stamp: FileStamp) -> Bool {
            switch self {
            case .never: false
            case .ifUnsealed(let length): length?.isSealed(stamp) != true
            }
        }
    }

    /// Returns the result of applying all good records in a journal's bytes.
    static func contents(of bytes: [UInt8]) -> Contents {
        var contents = Contents()
        contents.take(bytes)
        return contents
    }

    /// Returns the bytes of a folder's journal.
    ///
    /// A missing journal counts as empty.
    static func bytes(in folder: OpenFile, _ fileSystem: any FileSystem) throws(FileError) -> [UInt8] {
        do throws(FileError) {
            guard let file = try fileSystem.open(name, in: folder, for: .reading) else { return [] }
            return try bytes(
                of: file, from: 0, size: Int(try fileSystem.status(of: file).stamp.size), fileSystem)
        } catch {
            throw error.at(path)
        }
    }

    /// The number of bytes to read at a time, which is more than a line has.
    private static let partSize = 64 << 20

    /// Returns the bytes of a journal of a given size from an offset.
    ///
    /// A line contains no NUL. So the bytes that follow a part without a good line are missing: a file can be
    /// larger than the memory, for example if it was extended without being written.
    static func bytes(
        of file: OpenFile, from offset: Int, size: Int, _ fileSystem: any FileSystem
    ) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while offset + bytes.count < size {
            let wanted = min(partSize, size - offset - bytes.count)
            let part = try fileSystem.read(file, from: offset + bytes.count, atMost: wanted)
            bytes = bytes.isEmpty ? part : bytes + part
            // A journal that isn't larger than a part is read at once.
            guard part.count == partSize else { break }
            if part.contains(0) || !part.contains(UInt8(ascii: "\n")) { break }
        }
        return bytes
    }

    func stamp() throws(FileError) -> FileStamp {
        do throws(FileError) {
            return try fileSystem.status(of: file).stamp
        } catch {
            throw error.at(Self.path)
        }
    }

    /// Removes the bytes after the last good line.
    func truncate(to length: Int) throws(FileError) {
        do throws(FileError) {
            try fileSystem.truncate(file, to: length)
        } catch {
            throw error.at(Self.path)
        }
    }

    /// The appended bytes, with the length of each record's line.
    struct Written {
        var bytes: [UInt8] = []
        var lengths: [Int] = []

        /// Logs the beginning of each record's JSON.
        fileprivate func log(to logger: Logger) {
            var start = 0
            for length in lengths {
                let json = bytes[start + 9..<start + length - 1]
                let end = json.count > 200 ? "… (\(json.count) bytes)" : ""
                logger.debug("journal \(String(decoding: json.prefix(200), as: UTF8.self))\(end)")
                start += length
            }
        }
    }

    /// Appends records with a single write.
    @discardableResult
    func append(_ records: [JournalRecord]) throws(FileError) -> Written {
        var written = Written()
        for record in records {
            let start = written.bytes.count
            JournalLines.append(record, to: &written.bytes)
            written.lengths.append(written.bytes.count - start)
        }
        do throws(FileError) {
            try fileSystem.write(written.bytes, to: file)
        } catch {
            throw error.at(Self.path)
        }
        if let logger { written.log(to: logger) }
        return written
    }

    /// Synchronizes appended records to disk.
    func synchronize() throws(FileError) {
        do throws(FileError) {
            try fileSystem.synchronize(file, .content)
        } catch {
            throw error.at(Self.path)
        }
    }
}

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

/// The records of a journal with their ranges, up to the first damaged line.
struct JournalLines: Sequence, IteratorProtocol {
    struct Line {
        var record: JournalRecord
        /// The line's range in the journal, including its line feed.
        var range: Range<Int>
    }

    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Line? {
        guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")),
            let record = Self.record(in: bytes[offset..<end])
        else { return nil }
        defer { offset = end + 1 }
        return Line(record: record, range: offset..<end + 1)
    }

    /// Returns whether some bytes contain a good line.
    static func hasRecord(in bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: UInt8(ascii: "\n")).contains { record(in: $0) != nil }
    }

    /// Returns the record in a line without its line feed; nil if the line is damaged.
    static func record(in line: ArraySlice<UInt8>) -> JournalRecord? {
        value(in: line).flatMap(JournalRecord.init)
    }

    /// Returns the JSON value in a line without its line feed; nil if the line is damaged.
    static func value(in line: ArraySlice<UInt8>) -> Value? {
        line.withUnsafeBufferPointer { line in
            guard line.count > 9, line[8] == UInt8(ascii: " "), let checksum = checksum(line.prefix(8))
            else { return nil }
            let body = UnsafeBufferPointer(rebasing: line[9...])
            guard checksum == Checksum.of(UnsafeRawBufferPointer(body)) else { return nil }
            return try? JSON.read(body, maximumSize: .max, maximumValueCount: .max)
        }
    }

    /// Returns the number that hexadecimal digits form; nil if there is a different character.
    private static func checksum(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32? {
        var number: UInt32 = 0
        for digit in digits {
            guard let value = digit.hexadecimalDigit else { return nil }
            number = number << 4 | UInt32(value)
        }
        return number
    }

    /// Returns the line for a record.
    static func line(_ record: JournalRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        append(record, to: &bytes)
        return bytes
    }

    /// Appends a record's line.
    static func append(_ record: JournalRecord, to bytes: inout [UInt8]) {
        append(to: &bytes) { record.write(to: &$0) }
    }

    /// Appends a line whose JSON a closure appends.
    static func append(to bytes: inout [UInt8], writing write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        // Reserve space for the checksum.
        bytes += repeatElement(UInt8(ascii: " "), count: 9)
        write(&bytes)
        let checksum = bytes.withUnsafeBytes {
            Checksum.of(UnsafeRawBufferPointer(rebasing: $0[(start + 9)...]))
        }
        for index in 0..<8 {
            let digit = UInt8(truncatingIfNeeded: checksum >> (28 - 4 * UInt32(index)) & 15)
            bytes[start + index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}
