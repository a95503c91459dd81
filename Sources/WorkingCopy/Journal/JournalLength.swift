/// The file `.todosync/journal.length`: the journal's length when an operation ended last, as 19 digits and a
/// line feed.
///
/// A journal that is shorter was cut, or is an older one. The file need not be on the disk, as one that is
/// older is as good. It is not the lock's, as people delete files of that name.
enum JournalLength {
    static let name: FileName = "journal.length"
    private static let digitCount = 19

    /// Returns the length; nil where nothing tells it.
    static func read(in stateFolder: StateFolder) throws(FileError) -> Int? {
        guard let bytes = try stateFolder.read(name.description, limit: .max - 1), bytes.count > digitCount,
            bytes[digitCount] == UInt8(ascii: "\n")
        else { return nil }
        return Int(String(decoding: bytes.prefix(digitCount), as: UTF8.self))
    }

    static func write(_ length: Int, in stateFolder: StateFolder) {
        let digits = String(length)
        let zeros = String(repeating: "0", count: max(0, digitCount - digits.utf8.count))
        let fileSystem = stateFolder.fileSystem
        guard let file = try? fileSystem.open(name, in: stateFolder.folder, for: .updating) else { return }
        try? fileSystem.write(Array((zeros + digits + "\n").utf8), to: file)
    }

    /// Forgets the length, as the journal is about to become shorter.
    static func forget(in stateFolder: StateFolder) throws(FileError) {
        do throws(FileError) {
            _ = try stateFolder.fileSystem.remove(name, in: stateFolder.folder)
        } catch {
            throw error.at("\(StateFolder.name)/\(name)")
        }
    }
}
