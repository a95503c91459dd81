extension FileWriter {
    /// Returns the errors that changes would fail with, as far as the folders reveal them without a change.
    package func obstacles(to changes: [FileChange]) -> [FileError?] {
        tree.closeAll()
        var known: [FolderPath: FileError?] = [:]
        return changes.map { change in
            for folder in change.folders + [Self.temporaryFolder] {
                let obstacle = known[folder] ?? obstacle(in: folder)
                known[folder] = .some(obstacle)
                if let obstacle { return obstacle }
            }
            return nil
        }
    }

    /// Returns the error that made a change fail, if a folder is the cause; nil otherwise.
    func obstacle(to change: FileChange) -> FileError? {
        (change.folders + [Self.temporaryFolder]).lazy.compactMap { self.obstacle(in: $0) }.first
    }

    private static let temporaryFolder = FolderPath(TemporaryFiles.folderPath[...])

    private func obstacle(in path: FolderPath) -> FileError? {
        // The change itself reports any other failure.
        guard let (folder, nearest) = try? tree.nearestFolder(to: path.string) else { return nil }
        do throws(FileError) {
            try fileSystem.checkWritable(folder)
            return nil
        } catch {
            return error.isNotPermitted ? error.at(nearest.isEmpty ? root : String(nearest)) : nil
        }
    }
}

extension FileChange {
    /// The folders that names are added to or removed from.
    fileprivate var folders: [FolderPath] {
        let paths =
            switch self {
            case .create(let path, _, _), .replace(let path, _, _), .remove(let path, _): [path]
            case .move(let from, let to, _, _): [from, to]
            }
        return paths.map { FolderPath(FolderTree.parent(of: $0[...])) }
    }
}
