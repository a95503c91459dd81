#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where an operation keeps files that are not yet, or no longer, in the user's folders.
///
/// They are in `.todosync/tmp`; for a folder on another file system under hidden names in that folder. A name
/// tells the operation, and which of its changes the file belongs to: `OPERATION.ATTEMPT.INDEX.ROLE`.
final class TemporaryFiles {
    private let fileSystem: any FileSystem
    private let operation: String
    private let stateFolder: OpenFile
    private var opened: OpenFile?
    /// Counts how often the operation was begun: one that a crash ended may be carried on under its name.
    private var attempt = 0
    /// Folders in which temporary files for them can be; handles are kept of those only that are needed.
    private var homes: [FolderPath: Home] = [:]

    private enum Home {
        case temporaryFolder
        case folderItself(OpenFile)
    }

    static let folderName: FileName = "tmp"
    static let folderPath = ".todosync/tmp"
    /// What names in a user's folder begin with.
    static let hiddenPrefix = ".todosync-"

    enum Role: String {
        /// What is about to be written; after an exchange what was replaced.
        case new
        /// What was taken away.
        case old
    }

    /// - Precondition: the operation's name has letters, digits and hyphens only.
    init(operation: String, stateFolder: OpenFile, fileSystem: any FileSystem) {
        precondition(
            !operation.isEmpty && !operation.utf8.contains { $0 == slash || $0 == UInt8(ascii: ".") })
        self.operation = operation
        self.stateFolder = stateFolder
        self.fileSystem = fileSystem
    }

    /// Returns where a temporary file can be from which a file in a folder is to be made.
    ///
    /// - Parameter path: the folder's.
    func place(for folder: OpenFile, at path: Substring, index: Int, _ role: Role) throws(FileError) -> Place
    {
        let temporary = try temporaryFolder()
        let name = "\(operation).\(attempt).\(index).\(role.rawValue)"
        switch try home(for: folder, at: path, temporary) {
        case .temporaryFolder: return Place(folder: temporary, name: FileName(name))
        case .folderItself(let folder):
            return Place(folder: folder, name: FileName(TemporaryFiles.hiddenPrefix + name))
        }
    }

    /// Every folder that has held temporary files.
    var folders: [OpenFile] {
        let others = homes.values.compactMap { home in
            if case .folderItself(let folder) = home { folder } else { nil }
        }
        return (opened.map { [$0] } ?? []) + others
    }

    private func temporaryFolder() throws(FileError) -> OpenFile {
        if let opened { return opened }
        do throws(FileError) {
            let folder = try fileSystem.folder(TemporaryFiles.folderName, in: stateFolder)
            attempt = try firstFreeAttempt(in: folder)
            opened = folder
            return folder
        } catch {
            throw error.at(TemporaryFiles.folderPath)
        }
    }

    private func firstFreeAttempt(in folder: OpenFile) throws(FileError) -> Int {
        let listing = try fileSystem.list(folder)
        let attempts = (0..<listing.count).compactMap { index in
            listing.name(at: index).string.flatMap(TemporaryName.init)
        }
        return attempts.filter { $0.operation == operation }.map(\.attempt).max().map { $0 + 1 } ?? 0
    }

    private func home(
        for folder: OpenFile, at path: Substring, _ temporary: OpenFile
    ) throws(FileError) -> Home {
        if let known = homes[FolderPath(path)] { return known }
        // That a name is not there is noticed only after that the folders are on two file systems.
        let absent: FileName = ".todosync-absent"
        let outcome = try fileSystem.rename(absent, in: temporary, to: absent, in: folder, .replacing)
        let home: Home = outcome == .otherFileSystem ? .folderItself(folder) : .temporaryFolder
        homes[FolderPath(path)] = home
        return home
    }
}

/// A temporary file's name, read.
struct TemporaryName {
    let operation: String
    let attempt: Int
    let index: Int

    init?(_ name: String) {
        let isHidden = name.hasPrefix(TemporaryFiles.hiddenPrefix)
        let parts = name.dropFirst(isHidden ? TemporaryFiles.hiddenPrefix.count : 0).split(
            separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let attempt = Int(parts[1]), let index = Int(parts[2]),
            TemporaryFiles.Role(rawValue: String(parts[3])) != nil
        else { return nil }
        operation = String(parts[0])
        self.attempt = attempt
        self.index = index
    }
}

extension FileSystem {
    /// Opens a folder in a folder, and makes it if it is not there.
    func folder(_ name: FileName, in parent: OpenFile) throws(FileError) -> OpenFile {
        if let folder = try openFolder(name, in: parent) { return folder }
        _ = try makeFolder(name, in: parent)
        guard let folder = try openFolder(name, in: parent) else {
            throw FileError(.open, name.description, code: ENOENT)
        }
        return folder
    }
}
