import Platform

/// Reads only the files at some paths; the result has nil for each path without a file.
///
/// Nil means that the path has no regular file or isn't allowed for a todo. To find out whether a path is
/// ignored, use ``scan(root:include:fileSystem:)``.
///
/// - Throws: An error if a file exists and can't be read.
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

/// Reads only the files at some paths that a scan of the folder would see, in the order of their paths.
///
/// - Parameter include: As in ``scan(root:include:fileSystem:)``.
package func scan(
    at paths: [String], root: String, include: [String], fileSystem: any FileSystem
) throws(FileError) -> [FoundFile] {
    var scanner = Scanner(
        fileSystem: fileSystem, include: include.isEmpty ? nil : IgnorePatterns(include), cache: nil,
        time: try fileSystem.time(), places: Places(paths))
    return try scanner.scan(root).files
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
