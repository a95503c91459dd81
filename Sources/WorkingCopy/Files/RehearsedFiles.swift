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
        let target: TodoPath
        do throws(PathProblem) { target = try TodoPath(path) } catch { return .refused(error) }
        let isTaken: Bool
        if let content = contents[ByteKey(path)] {
            isTaken = content != nil
        } else {
            do throws(FileError) { isTaken = try writer.hasFile(at: target) } catch {
                return .failed(error.inChanging(path))
            }
        }
        if isTaken { return .occupied }
        contents[ByteKey(path)] = bytes
        return .done
    }
}

extension FileWriter {
    /// Returns whether there is a file or folder at a path.
    fileprivate func hasFile(at path: TodoPath) throws(FileError) -> Bool {
        guard let folder = try tree.folder(at: path.folder) else { return false }
        return try fileSystem.status(of: path.name, in: folder) != nil
    }
}
