extension FileWriter {
    /// Returns the reasons why changes can't be applied, as far as a folder shows them, without touching
    /// anything.
    package func obstacles(to changes: [FileChange]) -> [FileError?] {
        tree.closeAll()
        var known: [FolderPath: FileError?] = [:]
        return changes.map { change in
            for folder in change.folders {
                let obstacle = known[folder] ?? obstacle(in: folder)
                known[folder] = .some(obstacle)
                if let obstacle { return obstacle }
            }
            return nil
        }
    }

    /// Returns why a change that failed can't be applied, if a folder is the reason.
    func obstacle(to change: FileChange) -> FileError? {
        change.folders.lazy.compactMap { self.obstacle(in: $0) }.first
    }

    private func obstacle(in path: FolderPath) -> FileError? {
        // Any other failure is left to the change itself.
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
