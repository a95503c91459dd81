/// Reads the files that a scan skipped because of their names: hidden, ignored or not included.
///
/// A todo that was moved to such a file must not count as deleted.
package struct IgnoredFiles {
    private let root: String
    private let fileSystem: any FileSystem

    package init(in directory: WorkingDirectory) {
        root = directory.root
        fileSystem = directory.fileSystem
    }

    /// Returns the texts of the files that a scan skipped, except unreadable files.
    package func texts(_ scan: FileScan) -> [[UInt8]] {
        scan.unsuitable.compactMap(\.file.bytes)
            + scan.ignored.filter(\.isIgnoredByName).flatMap { entry in
                entry.isFolder ? texts(below: entry.path) : text(at: entry.path).map { [$0] } ?? []
            }
    }

    private func texts(below path: String) -> [[UInt8]] {
        let below = try? WorkingCopy.scan(root: root + "/" + path, include: [], fileSystem: fileSystem)
        return (below?.files ?? []).compactMap(\.bytes)
    }

    private func text(at path: String) -> [UInt8]? {
        var folderPath = root
        var name = path[...]
        if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
            folderPath += "/" + path[..<slash]
            name = path[path.utf8.index(after: slash)...]
        }
        guard let folder = try? fileSystem.openFolder(at: folderPath),
            case .content(let content)? = try? fileSystem.readFile(
                FileName(name), in: folder, limit: TodoFile.maximumSize)
        else { return nil }
        return content.bytes
    }
}

extension IgnoredFile {
    fileprivate var isIgnoredByName: Bool {
        // Git's own folder is large and contains no todos.
        if path == ".git" || path.utf8.suffix(5).elementsEqual("/.git".utf8) { return false }
        return switch reason {
        case .hidden, .ignored, .notIncluded: true
        default: false
        }
    }
}
