internal import LosslessYAML

/// The files that a rehearsal would have changed.
struct RehearsedFiles {
    /// The new content of each path; nil for a removed file.
    private(set) var contents: [ByteKey: [UInt8]?] = [:]

    /// Changes the files, and returns the outcomes that the changes would have on disk, in the same order.
    ///
    /// As on disk, files are removed and moved away first, so that one change can use a path that another
    /// change frees.
    mutating func apply(_ changes: [FileChange], by writer: FileWriter) -> [FileChangeOutcome] {
        var outcomes = writer.obstacles(to: changes).map { $0.map(FileChangeOutcome.failed) }
        for (index, change) in changes.enumerated() where outcomes[index] == nil {
            switch change {
            case .remove(let path, _), .move(let path, _, _, _): contents[ByteKey(path)] = .some(nil)
            case .create, .replace: break
            }
        }
        for (index, change) in changes.enumerated() where outcomes[index] == nil {
            switch change {
            case .remove: outcomes[index] = .done
            case .replace(let path, _, let bytes):
                contents[ByteKey(path)] = bytes
                outcomes[index] = .done
            case .create(let path, let bytes, _): outcomes[index] = write(bytes, to: path, writer)
            case .move(let from, let to, let expected, let bytes):
                outcomes[index] = write(bytes, to: to, writer)
                if outcomes[index] != .done { contents[ByteKey(from)] = expected }
            }
        }
        return outcomes.map { $0 ?? .done }
    }

    /// Writes a file to a path that must be free.
    private mutating func write(
        _ bytes: [UInt8], to path: String, _ writer: FileWriter
    ) -> FileChangeOutcome {
        do throws(PathProblem) { _ = try TodoPath(path) } catch { return .refused(error) }
        do throws(FileError) {
            if try isTaken(path[...], writer) { return .occupied }
        } catch {
            return .failed(error.inChanging(path))
        }
        contents[ByteKey(path)] = bytes
        return .done
    }

    /// Returns whether there is something at a path, or a file where a folder above it would have to be.
    private func isTaken(_ path: Substring, _ writer: FileWriter) throws(FileError) -> Bool {
        var part = path
        while !part.isEmpty {
            if let content = contents[ByteKey(String(part))], content != nil { return true }
            part = FolderTree.parent(of: part)
        }
        let (folder, nearest) = try writer.tree.nearestFolder(to: FolderTree.parent(of: path))
        let start = nearest.isEmpty ? path.startIndex : path.utf8.index(after: nearest.endIndex)
        let end = path[start...].utf8.firstIndex(of: slash) ?? path.endIndex
        // What was removed is no longer there.
        if contents[ByteKey(String(path[..<end]))] != nil { return false }
        return try writer.fileSystem.status(of: FileName(path[start..<end]), in: folder) != nil
    }
}
