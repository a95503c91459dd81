internal import LosslessYAML
import Platform

/// The files that earlier operations kept or left in `.todosync/tmp`, and in users' folders on other file
/// systems.
package struct LeftoverFiles {
    let fileSystem: any FileSystem
    /// The path of the working directory.
    let root: String
    let tree: FolderTree

    init(root: String, tree: FolderTree, fileSystem: any FileSystem) {
        self.root = root
        self.tree = tree
        self.fileSystem = fileSystem
    }

    package init(in directory: WorkingDirectory) throws(FileError) {
        let (root, fileSystem) = (directory.root, directory.fileSystem)
        guard let folder = try fileSystem.openFolder(at: root) else {
            throw FileError(.open, root, code: ENOENT)
        }
        self.init(
            root: root, tree: FolderTree(root: folder, fileSystem: fileSystem), fileSystem: fileSystem)
    }

    /// Returns the files that earlier operations kept, or that interrupted operations staged or moved away,
    /// in the order of the changes.
    ///
    /// - Parameters:
    ///   - folders: Users' folders to check besides `.todosync/tmp`: the folders that the unfinished
    ///     operations changed. Only folders on a different file system can contain leftovers.
    ///   - own: The names of the running operation's files.
    package func find(
        in folders: [String], besides own: Set<String> = []
    ) throws(FileError) -> [Leftover] {
        var leftovers: [Leftover] = []
        for (folder, path) in try leftoverFolders(folders) {
            let names = try temporaryNames(in: folder, at: path).filter { name, parsed in
                !parsed.role.isForNew && !own.contains(name.description)
            }
            let isLarge = names.count >= FileWriter.manyFiles
            let found = mapConcurrently(where: isLarge, names) { [fileSystem] name, parsed in
                Result { () throws(FileError) in
                    try fileSystem.leftover(name, parsed, in: folder, at: path)
                }
            }
            for result in found { if let leftover = try result.get() { leftovers.append(leftover) } }
        }
        return leftovers.sorted { ($0.operation, $0.index, $0.name) < ($1.operation, $1.index, $1.name) }
    }

    /// Removes new files and folders that weren't moved into place.
    ///
    /// Nobody else has written to them.
    ///
    /// - Parameter folders: See ``find(in:besides:)``.
    func removeUnmoved(in folders: [String] = []) throws(FileError) {
        try removeUnmoved(in: folders) { _ in false }
    }

    /// Removes the files and folders that show that some changes of an interrupted operation weren't applied,
    /// because another operation is about to apply them.
    ///
    /// - Parameters:
    ///   - changes: The changes, whose new content that operation has staged by now.
    ///   - folders: See ``find(in:besides:)``.
    ///   - isOwn: Returns whether that operation made a file.
    func removeStaged(
        of changes: [FileChange], in folders: [String], besides isOwn: (TemporaryName) -> Bool
    ) throws(FileError) {
        try removeUnmoved(in: folders, besides: isOwn)
        let contents = Set(changes.compactMap(\.newContent))
        try discard(
            find(in: folders).filter { leftover in
                !leftover.isReplacedText && leftover.bytes.map(contents.contains) == true
            })
        // A power failure must not bring the files back.
        for (folder, path) in try leftoverFolders(folders) {
            do throws(FileError) {
                try fileSystem.synchronize(folder, .file)
            } catch {
                throw error.at(path)
            }
        }
    }

    private func removeUnmoved(
        in folders: [String], besides isOwn: (TemporaryName) -> Bool
    ) throws(FileError) {
        for (location, name) in try unmoved(in: folders) where !isOwn(name) {
            switch name.role {
            case .folder, .rest: fileSystem.removeTree(location)
            // The next operation finds any file again that can't be removed now.
            case .made, .root, .new, .old: _ = try? fileSystem.remove(location.name, in: location.folder)
            }
        }
    }

    /// Returns the final paths of new files and folders that weren't moved into place.
    ///
    /// - Parameter folders: See ``find(in:besides:)``.
    package func unmovedPaths(in folders: [String]) throws(FileError) -> UnmovedPaths {
        var paths = UnmovedPaths()
        for (location, name) in try unmoved(in: folders) {
            guard let mark = name.mark else { continue }
            switch name.role {
            case .rest: try insertFiles(of: location, at: "", into: &paths.rests[mark, default: []])
            case .root: paths.isRootNew = true
            case .made, .folder, .new, .old: paths.marks.insert(mark)
            }
        }
        return paths
    }

    /// Collects the paths of a folder's files and subfolders.
    ///
    /// - Parameter path: The folder's path relative to the searched folder.
    private func insertFiles(
        of location: FileLocation, at path: String, into paths: inout Set<ByteKey>
    ) throws(FileError) {
        guard let folder = try? fileSystem.openFolder(location.name, in: location.folder) else { return }
        let listing = try fileSystem.list(folder)
        for index in 0..<listing.count {
            let name = listing.name(at: index)
            let inner = path.isEmpty ? name.description : path + "/" + name.description
            paths.insert(ByteKey(inner))
            try insertFiles(of: FileLocation(folder: folder, name: name), at: inner, into: &paths)
        }
    }

    private func unmoved(in folders: [String]) throws(FileError) -> [(FileLocation, TemporaryName)] {
        var found: [(FileLocation, TemporaryName)] = []
        for (folder, path) in try leftoverFolders(folders) {
            let isUsers = Self.isUsers(path)
            for (name, parsed) in try temporaryNames(in: folder, at: path)
            where parsed.role.isForNew && (!isUsers || parsed.role == .made && parsed.mark != nil) {
                found.append((FileLocation(folder: folder, name: name), parsed))
            }
        }
        return found
    }

    /// Removes leftovers whose bytes have been saved or have no value.
    ///
    /// Leftovers with unknown contents stay.
    func discard(_ leftovers: [Leftover]) throws(FileError) {
        for leftover in leftovers where leftover.bytes != nil {
            let (folderPath, name) = FolderTree.split(leftover.name[...])
            guard let folder = try tree.folder(at: folderPath) else { continue }
            do throws(FileError) {
                _ = try fileSystem.remove(name, in: folder)
            } catch {
                throw error.at(leftover.name)
            }
        }
    }

    /// Returns whether a folder is a user's rather than `.todosync/tmp`.
    private static func isUsers(_ path: String) -> Bool { path != TemporaryFiles.folderPath }

    /// Returns the names of the temporary files in a folder.
    private func temporaryNames(
        in folder: OpenFile, at path: String
    ) throws(FileError) -> [(name: FileName, parsed: TemporaryName)] {
        let listing = try fileSystem.listing(of: folder, at: path.isEmpty ? root : path)
        return (0..<listing.count).compactMap { index in
            let name = listing.name(at: index)
            return name.string.flatMap { TemporaryName($0, isHidden: Self.isUsers(path)) }.map { (name, $0) }
        }
    }

    private func leftoverFolders(_ folders: [String]) throws(FileError) -> [(OpenFile, String)] {
        var result: [(OpenFile, String)] = []
        for path in Set((folders + [TemporaryFiles.folderPath]).map { FolderPath($0[...]) }).map({
            String($0.string)
        }) {
            if let folder = try tree.folder(at: path[...]) { result.append((folder, path)) }
        }
        return result
    }
}

/// The final paths of an interrupted command's new files and folders that weren't moved into place.
package struct UnmovedPaths: Sendable {
    fileprivate var marks: Set<ContentMark> = []
    /// The files still waiting in each folder, as paths below it, by the mark of the folder's path.
    fileprivate var rests: [ContentMark: Set<ByteKey>] = [:]
    /// Whether the command was creating files directly in a new working directory; see ``NewRoot``.
    ///
    /// A file in the root might then be half-written.
    package fileprivate(set) var isRootNew = false

    /// Returns whether a file, or a folder above it, wasn't moved into place.
    package func contains(_ path: String) -> Bool {
        if marks.contains(ContentMark(ofPath: path[...])) { return true }
        var folder = path[...]
        while let end = folder.lastIndex(of: "/") {
            folder = path[..<end]
            let mark = ContentMark(ofPath: folder)
            if marks.contains(mark) { return true }
            if rests[mark]?.contains(ByteKey(String(path[end...].dropFirst()))) == true { return true }
        }
        return false
    }
}

extension FileSystem {
    /// Reads a file that an operation left behind; nil if it no longer exists, or if this user can't read it.
    ///
    /// - Parameter path: The folder's path.
    fileprivate func leftover(
        _ name: FileName, _ parsed: TemporaryName, in folder: OpenFile, at path: String
    ) throws(FileError) -> Leftover? {
        let filePath = path.isEmpty ? name.description : path + "/" + name.description
        let reading: ReadResult
        do throws(FileError) {
            reading = try readFile(name, in: folder, limit: TodoFile.maximumSize)
        } catch  where error.isNotPermitted {
            // The file belongs to a different user, who can check it.
            return nil
        } catch {
            throw error.at(filePath)
        }
        let bytes: [UInt8]?
        switch reading {
        case .content(let content):
            bytes = content.bytes.count > TodoFile.maximumSize ? nil : content.bytes
        // This is a user's link or folder that couldn't be put back.
        case .notRegular: bytes = nil
        case .missing: return nil
        }
        return Leftover(
            name: filePath, operation: parsed.operation, index: parsed.index, mark: parsed.mark, bytes: bytes)
    }
}
