/// The file `.todosync/journal.length`: the journal's length when the last operation ended.
///
/// The file contains 19 digits, a character, the journal's ``JournalSeal`` in eight hexadecimal digits, the
/// CRC-32 of all this in eight hexadecimal digits, and a line feed. A journal that is shorter than the length
/// was truncated or replaced by an older journal. A length that is too small is harmless. The character is
/// `=` from an operation's end until the next operation writes to the journal, and a space otherwise.
struct JournalLength: Equatable {
    static let name: FileName = "journal.length"
    private static let digitCount = 19
    private static let size = digitCount + 18

    var count: Int
    /// Whether nothing has been written to the journal since the operation ended, so any bytes after the
    /// length aren't records.
    var isEnd = false
    /// The journal's seal when the operation ended; nil if there isn't one.
    var seal: JournalSeal?

    enum Reading: Equatable {
        case length(JournalLength)
        case missing
        /// The path isn't a regular file, or the contents aren't valid.
        case wrong

        var length: JournalLength? { if case .length(let length) = self { length } else { nil } }
    }

    /// Returns the length; nil if it is missing or invalid.
    static func read(in stateFolder: StateFolder) throws(FileError) -> JournalLength? {
        try reading(in: stateFolder).length
    }

    /// Returns the length, or the reason why it can't be read.
    static func reading(in stateFolder: StateFolder) throws(FileError) -> Reading {
        do throws(FileError) {
            switch try stateFolder.fileSystem.readFile(name, in: stateFolder.folder, limit: size) {
            case .missing: return .missing
            case .notRegular: return .wrong
            case .content(let content): return JournalLength(content.bytes).map { .length($0) } ?? .wrong
            }
        } catch {
            throw error.at("\(StateFolder.name)/\(name)")
        }
    }

    /// Creates a length that more bytes can follow.
    init(count: Int) { self.count = count }

    /// Creates the length of a journal at an operation's end.
    ///
    /// - Parameter seals: Whether to seal the journal, because nobody else can have changed it.
    init(endOf journal: Journal, count: Int, seals: Bool) {
        self.count = count
        isEnd = true
        if seals { seal = journal.seal() }
    }

    private init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.digitCount,
            let count = Int(String(decoding: bytes.prefix(Self.digitCount), as: UTF8.self)), count >= 0
        else { return nil }
        self.count = count
        isEnd = bytes[Self.digitCount] == UInt8(ascii: "=")
        let digits = bytes[(Self.digitCount + 1)...].prefix(8)
        guard let seal = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
        self.seal = seal == 0 ? nil : JournalSeal(rawValue: seal)
        guard bytes == line else { return nil }
    }

    /// Returns whether a journal with a stamp hasn't been touched since the operation ended.
    func isSealed(_ stamp: FileStamp?) -> Bool {
        guard isEnd, let seal, let stamp else { return false }
        return JournalSeal(stamp) == seal
    }

    /// Writes the length to its file.
    ///
    /// - Parameter isDurable: Whether to synchronize the file to disk. Otherwise, a file of the same size
    ///   is overwritten, and a power failure leaves the old or the new length.
    func write(in stateFolder: StateFolder, isDurable: Bool) throws(FileError) {
        let (fileSystem, folder) = (stateFolder.fileSystem, stateFolder.folder)
        if !isDurable, let status = try? fileSystem.status(of: Self.name, in: folder), status.kind == .file,
            status.stamp.size == Self.size,
            let file = try? fileSystem.open(Self.name, in: folder, for: .updating),
            (try? fileSystem.write(line, to: file)) != nil
        {
            return
        }
        try stateFolder.replaceWhole(Self.name.description, with: line)
    }

    private var line: [UInt8] {
        let seal = Self.padded(String(seal?.rawValue ?? 0, radix: 16), to: 8)
        let text = "\(digits)\(isEnd ? "=" : " ")\(seal)"
        return Array("\(text)\(Self.checksum(text))\n".utf8)
    }

    private var digits: String { Self.padded(String(count), to: Self.digitCount) }

    private static func checksum(_ text: String) -> String {
        padded(String(Checksum.of(Array(text.utf8)), radix: 16), to: 8)
    }

    private static func padded(_ digits: String, to count: Int) -> String {
        String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}

/// The CRC-32 of a journal's stamp, with a modification time that no write leaves.
///
/// A writer would otherwise have to read the whole journal in order to know that it is the one that the last
/// operation left.
struct JournalSeal: RawRepresentable, Sendable, Equatable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates the seal of a journal with a stamp; nil in the rare case that it would be 0.
    init?(_ stamp: FileStamp) {
        var writer = ByteWriter()
        writer.write(stamp.device)
        writer.write(stamp.inode)
        writer.write(UInt64(bitPattern: stamp.size))
        for time in [stamp.modified, stamp.changed] {
            writer.write(signed: time.seconds)
            writer.write(signed: Int64(time.nanoseconds))
        }
        rawValue = Checksum.of(writer.bytes)
        if rawValue == 0 { return nil }
    }
}

extension Journal {
    /// Changes the journal's modification time by a nanosecond, and returns the seal; nil if the file system
    /// can't store such a time, or the user can't set it.
    ///
    /// The clock that stamps files ticks only every few milliseconds, so a write shortly after the
    /// operation's end could leave the clock's time as it was. The next write replaces this time.
    func seal() -> JournalSeal? {
        guard let written = try? fileSystem.status(of: file).stamp.modified,
            (try? fileSystem.setModified(
                written.advanced(by: FileTime(seconds: 0, nanoseconds: 1)), of: file)) != nil,
            let stamp = try? fileSystem.status(of: file).stamp, stamp.modified != written
        else { return nil }
        return JournalSeal(stamp)
    }
}

/// The part of the journal that is damaged or missing.
package struct JournalDamage: Sendable, Hashable {
    /// The number of the first damaged or missing line, counted from 1.
    package let line: Int
    /// Whether records might be missing.
    ///
    /// No record is missing if the last operation ended exactly there, no later operation has begun to write,
    /// and no record follows.
    package let isLoss: Bool
    /// The folder in `.todosync` with a copy of the removed bytes; nil if there weren't any.
    package internal(set) var folder: String?

    /// Examines the bytes after a journal's last good line; nil if there is at most a torn line.
    ///
    /// - Parameter noted: The journal's minimum length, if it is known.
    init?(in journal: [UInt8], behind goodLength: Int, _ noted: JournalLength?) {
        let rest = journal.dropFirst(goodLength)
        guard goodLength < noted?.count ?? 0 || rest.contains(UInt8(ascii: "\n")) else { return nil }
        line = journal.prefix(goodLength).count { $0 == UInt8(ascii: "\n") } + 1
        let isBehindEnd = noted.map { $0.isEnd && $0.count == goodLength } ?? false
        isLoss = !isBehindEnd || JournalLines.hasRecord(in: rest)
    }
}
