internal import Platform
internal import TodoModel

/// The pages of a SQLite database and its write-ahead log, read without SQLite, even if they are damaged.
///
/// The format is documented at <https://www.sqlite.org/fileformat2.html>.
final class PageFile {
    let pageSize: Int
    /// The current path of the database.
    private(set) var path: String
    /// The open database, which stays open while it is locked: closing the file would release the lock.
    private let descriptor: Int32
    private var log: [UInt8] = []
    /// The offset of each page's last image in the log, by page number.
    private var logged: [Int: Int] = [:]

    /// Opens a database file and reads its page size.
    ///
    /// - Throws: ``StoreError/notPermitted(path:)`` and others with the path of the store's folder.
    init(at path: String, of folder: StoreFolder) throws(StoreError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw folder.systemError() }
        let header = Self.read(descriptor, at: 0, count: 100)
        let size = header.count == 100 ? Int(header[16]) << 8 | Int(header[17]) : 0
        // A size that isn't a power of two is damaged, and SQLite's default is the best guess. The value 1
        // stands for 65536.
        pageSize = size == 1 ? 65536 : size >= 512 && size & (size - 1) == 0 ? size : 4096
    }

    /// Reads the write-ahead log, and keeps the current paths of the log and the database.
    func readLog(of path: String) {
        self.path = path
        log = Self.content(of: path + "-wal")
        logged = Self.committedPages(of: log, pageSize: pageSize)
    }

    deinit { close(descriptor) }

    /// Locks the database exclusively, as SQLite does; returns false if another process uses it.
    func lock() -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        // These are SQLite's lock bytes, which are never read.
        (lock.l_start, lock.l_len) = (0x4000_0000, 512)
        return fcntl(descriptor, F_SETLK, &lock) == 0
    }

    /// The number of pages, including those that are only in the log.
    var pageCount: Int {
        var status = stat()
        let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        return max((size + pageSize - 1) / pageSize, logged.keys.max() ?? 0)
    }

    /// Returns a page as SQLite would read it; nil if it can't be read.
    func page(_ number: Int) -> [UInt8]? { images(of: number).first }

    /// Returns the images of a page: the last one in the log, and the one in the database that the log
    /// replaces.
    func images(of number: Int) -> [[UInt8]] {
        let image = logged[number].map { Array(log[$0..<$0 + pageSize]) }
        let page = Self.read(descriptor, at: (number - 1) * pageSize, count: pageSize)
        return [image, page.count == pageSize ? page : nil].compactMap(\.self)
    }

    // MARK: Reading

    private static func content(of path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return [] }
        return read(descriptor, at: 0, count: Int(status.st_size))
    }

    /// Returns up to `count` bytes; fewer at the end of the file, or if the disk can't read the rest.
    private static func read(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let start = buffer.baseAddress.map { $0 + filled }
                let part = pread(descriptor, start, count - filled, off_t(offset + filled))
                if part > 0 { filled += part } else if part == 0 || errno != EINTR { return }
            }
        }
    }

    /// Finds the pages in a log, which consists of a header of 32 bytes, then for each page a header of 24
    /// bytes and the page itself.
    private static func committedPages(of log: [UInt8], pageSize: Int) -> [Int: Int] {
        var committed: [Int: Int] = [:]
        var begun: [Int: Int] = [:]
        var start = 32
        // Pages of the log's previous use, with a different salt, can follow the last write.
        while start + 24 + pageSize <= log.count, log[start + 8..<start + 16] == log[16..<24] {
            begun[log.number(at: start)] = start + 24
            if log.number(at: start + 4) != 0 {
                committed.merge(begun) { $1 }
                begun = [:]
            }
            start += 24 + pageSize
        }
        return committed
    }
}

extension [UInt8] {
    /// Returns the four bytes at an offset as a number.
    func number(at offset: Int) -> Int { self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
}
