/// The file `.todosync/journal.length`: the journal's length when an operation ended last, as 19 digits, a
/// space, their CRC-32 in eight hexadecimal digits, and a line feed.
///
/// A journal that is shorter was cut, or is an older one. A length that is older is as good.
enum JournalLength {
    static let name: FileName = "journal.length"
    private static let digitCount = 19
    private static let size = digitCount + 10

    enum Reading: Equatable {
        case length(Int)
        case missing
        /// It is no file, or does not hold what was written into it.
        case wrong
    }

    /// Returns the length; nil where nothing tells it.
    static func read(in stateFolder: StateFolder) throws(FileError) -> Int? {
        switch try reading(in: stateFolder) {
        case .length(let length): return length
        case .missing: return try lengthInLock(in: stateFolder)
        case .wrong: return nil
        }
    }

    /// Returns what the file itself tells.
    static func reading(in stateFolder: StateFolder) throws(FileError) -> Reading {
        do throws(FileError) {
            switch try stateFolder.fileSystem.readFile(name, in: stateFolder.folder, limit: size) {
            case .missing: return .missing
            case .notRegular: return .wrong
            case .content(let content): return length(in: content.bytes).map { .length($0) } ?? .wrong
            }
        } catch {
            throw error.at("\(StateFolder.name)/\(name)")
        }
    }

    /// Before there was a checksum, a line feed followed the digits.
    private static func length(in bytes: [UInt8]) -> Int? {
        let digits = Array(bytes.prefix(digitCount))
        let isOld = bytes.count > digitCount && bytes[digitCount] == UInt8(ascii: "\n")
        guard digits.count == digitCount, let length = Int(String(decoding: digits, as: UTF8.self)),
            length >= 0, isOld || bytes == line(length)
        else { return nil }
        return length
    }

    /// Takes note of a length.
    ///
    /// - Parameter isDurable: whether it is on the disk on return. Where there is one already, in a file of
    ///   the same size, a power failure leaves either.
    static func write(_ length: Int, in stateFolder: StateFolder, isDurable: Bool) throws(FileError) {
        let (fileSystem, folder) = (stateFolder.fileSystem, stateFolder.folder)
        if !isDurable, let status = try? fileSystem.status(of: name, in: folder), status.kind == .file,
            status.stamp.size == size, let file = try? fileSystem.open(name, in: folder, for: .updating),
            (try? fileSystem.write(line(length), to: file)) != nil
        {
            return
        }
        try stateFolder.replaceWhole(name.description, with: line(length))
    }

    private static func line(_ length: Int) -> [UInt8] {
        let digits = padded(String(length), to: digitCount)
        let checksum = padded(String(Checksum.of(Array(digits.utf8)), radix: 16), to: 8)
        return Array("\(digits) \(checksum)\n".utf8)
    }

    private static func padded(_ digits: String, to count: Int) -> String {
        String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    // MARK: Where it was

    /// The length where there is none in a file of its own: it once was in the lock's, as 19 digits and a
    /// line feed.
    private static func lengthInLock(in stateFolder: StateFolder) throws(FileError) -> Int? {
        let reading: FileReading
        do throws(FileError) {
            reading = try stateFolder.fileSystem.readFile(
                WorkingDirectoryLock.name, in: stateFolder.folder, limit: digitCount + 1)
        } catch {
            throw error.at("\(StateFolder.name)/\(WorkingDirectoryLock.name)")
        }
        guard case .content(let content) = reading, content.bytes.count == digitCount + 1,
            content.bytes.last == UInt8(ascii: "\n")
        else { return nil }
        return Int(String(decoding: content.bytes.dropLast(), as: UTF8.self)).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Moves a length from the lock's file, where it would be too old some day, into one of its own.
    static func move(from lock: WorkingDirectoryLock, in stateFolder: StateFolder) throws(FileError) {
        guard try reading(in: stateFolder) == .missing, let length = try lengthInLock(in: stateFolder) else {
            return
        }
        try write(length, in: stateFolder, isDurable: true)
        try lock.emptyFile()
    }
}
