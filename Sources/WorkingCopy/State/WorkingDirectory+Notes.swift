internal import LosslessYAML
package import TodoModel

/// A file that a command listed as a copy of a todo's file.
package struct ListedCopy: Sendable, Hashable {
    package var id: TodoID
    package var path: String

    package init(id: TodoID, path: String) {
        self.id = id
        self.path = path
    }
}

/// The file `.todosync/copies`: the copies that the last command listed, if a person could have chosen their
/// names. Each copy is a line with the todo's id, a tab and the path.
extension WorkingDirectory {
    private static let copiesName = "copies"
    /// The maximum size in bytes of the file, larger than it ever gets.
    private static let maximumCopiesSize = 1 << 24

    package func listedCopies() throws -> Set<ListedCopy> {
        let bytes = try StateFolder(root: root, fileSystem: fileSystem)
            .read(Self.copiesName, limit: Self.maximumCopiesSize)
        let lines = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
        return Set(
            lines.compactMap { line in
                let parts = line.split(separator: "\t", maxSplits: 1)
                guard parts.count == 2, let id = TodoID(String(parts[0])) else { return nil }
                return ListedCopy(id: id, path: String(parts[1]))
            })
    }

    /// Replaces the listed copies.
    ///
    /// If two commands do this at once, one list can be lost, and the next command writes it again.
    package func list(_ copies: Set<ListedCopy>) throws {
        guard try listedCopies() != copies else { return }
        let folder = try StateFolder(root: root, fileSystem: fileSystem)
        if copies.isEmpty {
            _ = try fileSystem.remove(FileName(Self.copiesName), in: folder.folder)
        } else {
            let lines = copies.sorted(byBytesOf: \.path).map { "\($0.id)\t\($0.path)\n" }
            try folder.replaceWhole(Self.copiesName, with: Array(lines.joined().utf8))
        }
    }
}

extension WorkingDirectory {
    private static let reportedName = "told"
    /// The maximum size in bytes of the file `told`, which the file never reaches.
    private static let maximumReportedSize = 1 << 16

    /// Returns whether `.todosync/told` has a line.
    package func wasReported(_ line: String) throws -> Bool { try reportedLines().contains(line[...]) }

    /// Adds a line to `.todosync/told`, so the line isn't reported or checked again.
    ///
    /// If two commands do this at once, one line can be lost and is then reported again.
    package func noteReported(_ line: String) throws {
        let lines = try reportedLines()
        guard !lines.contains(line[...]) else { return }
        let text = (lines + [line[...]]).map { $0 + "\n" }.joined()
        try StateFolder(root: root, fileSystem: fileSystem)
            .replaceWhole(Self.reportedName, with: Array(text.utf8))
    }

    private func reportedLines() throws -> [Substring] {
        let bytes = try StateFolder(root: root, fileSystem: fileSystem)
            .read(Self.reportedName, limit: Self.maximumReportedSize)
        return String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
    }
}

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
