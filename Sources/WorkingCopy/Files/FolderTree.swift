internal import LosslessYAML
import Platform

/// A name in an open folder.
///
/// The name might not exist.
struct FileLocation {
    let folder: OpenFile
    let name: FileName
}

/// A folder's path relative to the root, compared byte by byte: names that Unicode considers equal can be
/// different folders.
struct FolderPath: Hashable {
    let string: Substring

    init(_ string: Substring) { self.string = string }

    static func == (left: FolderPath, right: FolderPath) -> Bool {
        let areSame = left.string.utf8.withContiguousStorageIfAvailable { left in
            right.string.utf8.withContiguousStorageIfAvailable {
                left.count == $0.count && left.order($0) == 0
            }
        }
        return (areSame ?? nil) ?? left.string.utf8.elementsEqual(right.string.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// The folders below a root, opened one at a time so that no symbolic link is followed.
///
/// Up to a limit, folders stay open for later changes.
final class FolderTree {
    let root: OpenFile
    private let fileSystem: any FileSystem
    private var openFolders: [FolderPath: OpenFile] = [:]
    private static let maximumOpenFolders = 128
    /// The missing folder that was looked up last, until a folder is created or removed.
    private var missing: (path: FolderPath, nearest: (folder: OpenFile, path: Substring))?

    init(root: OpenFile, fileSystem: any FileSystem) {
        self.root = root
        self.fileSystem = fileSystem
    }

    /// Returns the folder at a path; nil if it doesn't exist.
    ///
    /// - Parameters:
    ///   - path: The path relative to the root; empty for the root itself.
    ///   - make: Whether to create missing folders.
    func folder(at path: Substring, making make: Bool = false) throws(FileError) -> OpenFile? {
        if path.isEmpty { return root }
        if let folder = openFolders[FolderPath(path)] { return folder }
        let (parentPath, name) = FolderTree.split(path)
        guard let parent = try folder(at: parentPath, making: make) else { return nil }
        guard let folder = try open(name, in: parent, making: make, path: path) else { return nil }
        if openFolders.count >= FolderTree.maximumOpenFolders { openFolders.removeAll(keepingCapacity: true) }
        openFolders[FolderPath(path)] = folder
        return folder
    }

    private func open(
        _ name: FileName, in parent: OpenFile, making make: Bool, path: Substring
    ) throws(FileError) -> OpenFile? {
        do throws(FileError) {
            if let folder = try fileSystem.openFolder(name, in: parent) { return folder }
            guard make else { return nil }
            missing = nil
            _ = try fileSystem.makeFolder(name, in: parent)
            return try fileSystem.openFolder(name, in: parent)
        } catch  where error.code == ENOTDIR || error.code == ELOOP {
            return nil
        } catch {
            throw error.at(String(path))
        }
    }

    /// Returns the folder at a path, or its nearest existing parent folder.
    func nearestFolder(to path: Substring) throws(FileError) -> (folder: OpenFile, path: Substring) {
        if let missing, missing.path == FolderPath(path) { return missing.nearest }
        var nearest = path
        while true {
            if let folder = try folder(at: nearest) {
                if nearest.utf8.count < path.utf8.count { missing = (FolderPath(path), (folder, nearest)) }
                return (folder, nearest)
            }
            nearest = FolderTree.parent(of: nearest)
        }
    }

    /// Removes a folder and its parent folders while they are empty.
    ///
    /// A missing folder counts as removed.
    ///
    /// - Parameter needed: The folders to leave in place.
    func removeEmptyFolders(from path: Substring, keeping needed: Set<FolderPath> = []) throws(FileError) {
        var path = path
        missing = nil
        while !path.isEmpty, !needed.contains(FolderPath(path)) {
            let (parentPath, name) = FolderTree.split(path)
            // A folder that stayed open would hide a new one with the same name.
            openFolders[FolderPath(path)] = nil
            if let parent = try folder(at: parentPath), try !fileSystem.removeFolder(name, in: parent),
                try fileSystem.status(of: name, in: parent) != nil
            {
                return
            }
            path = parentPath
        }
    }

    /// Closes all folders, so that the next lookups find folders that were moved or replaced.
    func closeAll() {
        openFolders.removeAll(keepingCapacity: true)
        missing = nil
    }

    /// Returns the path of the parent folder; empty for a folder in the root.
    static func parent(of path: Substring) -> Substring {
        path[..<(path.utf8.lastIndex(of: slash) ?? path.startIndex)]
    }

    static func split(_ path: Substring) -> (parent: Substring, name: FileName) {
        guard let slash = path.utf8.lastIndex(of: slash) else { return ("", FileName(path)) }
        return (path[..<slash], FileName(path[path.utf8.index(after: slash)...]))
    }
}
