/// The file `.todosync/journal.length`: the journal's length when the last operation ended.
///
/// The file contains 19 digits, a character, a CRC-32 in eight hexadecimal digits, and a line feed. A journal
/// that is shorter than the length was truncated or replaced by an older journal. A length that is too small
/// is harmless. The character is `=` from an operation's end until the next operation writes to the journal,
/// and a space otherwise.
struct JournalLength: Equatable {
    static let name: FileName = "journal.length"
    private static let digitCount = 19
    private static let size = digitCount + 10

    var count: Int
    /// Whether nothing has been written to the journal since the operation ended, so any bytes after the
    /// length aren't records.
    var isEnd = false

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

    init(count: Int, isEnd: Bool = false) {
        self.count = count
        self.isEnd = isEnd
    }

    private init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size,
            let count = Int(String(decoding: bytes.prefix(Self.digitCount), as: UTF8.self)), count >= 0
        else { return nil }
        self.init(count: count, isEnd: bytes[Self.digitCount] == UInt8(ascii: "="))
        guard bytes == line else { return nil }
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
        let digits = Self.padded(String(count), to: Self.digitCount)
        let checksum = Checksum.of(Array((isEnd ? digits + "=" : digits).utf8))
        return Array("\(digits)\(isEnd ? "=" : " ")\(Self.padded(String(checksum, radix: 16), to: 8))\n".utf8)
    }

    private static func padded(_ digits: String, to count: Int) -> String {
        String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
