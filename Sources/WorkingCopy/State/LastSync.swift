/// The file `.todosync/synced`: the time of the last successful push, pull or sync, for display.
///
/// Nothing depends on the time, so it is written without synchronizing it to disk, and can be lost.
package enum LastSync {
    private static let name: FileName = "synced"
    /// The size of an RFC 3339 time in UTC without a fraction, and a line feed.
    private static let size = 21

    /// Returns the time of the last sync; nil if it isn't known.
    package static func read(in directory: WorkingDirectory) -> String? {
        let folder = try? StateFolder(root: directory.root, fileSystem: directory.fileSystem)
        guard let bytes = try? folder?.read(name.description, limit: size), bytes.count == size,
            bytes.last == UInt8(ascii: "\n")
        else { return nil }
        return String(validating: bytes.dropLast(), as: UTF8.self)
    }

    /// Records the time of a sync.
    ///
    /// The time has a fixed length and is overwritten in place, so a power failure leaves the old or the new
    /// time.
    package static func record(_ time: String, in directory: WorkingDirectory) {
        if read(in: directory) == time { return }
        let fileSystem = directory.fileSystem
        let line = Array((time + "\n").utf8)
        // Ignore errors, because the folder might be read-only.
        guard line.count == size,
            let folder = try? StateFolder(root: directory.root, fileSystem: fileSystem).folder
        else { return }
        if let status = try? fileSystem.status(of: name, in: folder),
            status.kind != .file || status.stamp.size != size
        {
            _ = try? fileSystem.remove(name, in: folder)
        }
        guard let file = try? fileSystem.open(name, in: folder, for: .updating) else { return }
        try? fileSystem.write(line, to: file)
    }
}
