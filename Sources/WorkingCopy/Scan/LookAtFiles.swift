import Platform

/// Reads the files at some paths, without looking at any other; for each its file, or nil.
///
/// Nil says only that no regular file is at the path, or that it is no place for a todo. Whether it is
/// ignored or the like is for ``scan(root:include:fileSystem:knownMountPoints:)`` to say.
/// - Throws: if a file is there and cannot be read.
package func lookAtFiles(
    _ paths: [String], root: String, fileSystem: any FileSystem = POSIXFileSystem()
) throws(FileError) -> [FoundFile?] {
    guard let folder = try fileSystem.openFolder(at: root) else { throw FileError(.open, root, code: ENOENT) }
    let tree = FolderTree(root: folder, fileSystem: fileSystem)
    let time = try fileSystem.time()
    var files: [FoundFile?] = []
    for path in paths {
        do throws(FileError) {
            files.append(try file(at: path, in: tree, fileSystem, time))
        } catch {
            throw error.at(path)
        }
    }
    return files
}

private func file(
    at path: String, in tree: FolderTree, _ fileSystem: any FileSystem, _ time: FileTime
) throws(FileError) -> FoundFile? {
    guard let path = try? TodoPath(path), let folder = try tree.folder(at: path.folder),
        case .content(let content) = try fileSystem.readFile(
            path.name, in: folder, limit: TodoFile.maximumSize)
    else { return nil }
    return FoundFile(path: path.string, content, at: time)
}
