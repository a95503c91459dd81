internal import LosslessYAML
internal import TodoModel

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
    init(in folder: OpenFile, _ fileSystem: any FileSystem) throws(FileError) {
        do throws(FileError) {
            guard let file = try fileSystem.open(Self.name, in: folder, for: .appending) else {
                throw FileError(.open, Self.path, code: 0)
            }
            self.file = file
        } catch {
            throw error.at(Self.path)
        }
        self.fileSystem = fileSystem
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
