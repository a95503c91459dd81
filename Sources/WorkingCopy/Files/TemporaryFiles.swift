import Platform

/// The temporary files of an operation: new content before it is moved into place, and old content after it
/// was replaced.
///
/// The files are in `.todosync/tmp`. For a folder on a different file system, they are in that folder, under
/// hidden names. This applies to all folders once a rename fails between folders of one file system. A name
/// consists of the operation, its attempt, the number of the change, the file's role, and the mark of the
/// text that the change replaces or of the new path: `OPERATION.ATTEMPT.INDEX.ROLE.MARK`.
final class TemporaryFiles {
    private let fileSystem: any FileSystem
    private let operation: String
    private let stateFolder: OpenFile
    private var opened: OpenFile?
    /// The number of earlier attempts: an interrupted operation can be continued under its name.
    private var attempt = 0
    /// The location of each folder's temporary files.
    ///
    /// Only folders on other file systems are kept open.
    private var homes: [FolderPath: Home] = [:]

    /// Whether each temporary file is in the folder of the file that it belongs to.
    private(set) var areBeside = false

    /// Whether new files in a folder get the same attributes as in `.todosync/tmp`, by the folder's path.
    private var sameGiving: [FolderPath: Bool] = [:]

    private enum Home {
        case temporaryFolder
        case folderItself(OpenFile)
    }

    static let folderName: FileName = "tmp"
    static let folderPath = ".todosync/tmp"
    /// The prefix of temporary files' names in a user's folder.
    static let hiddenPrefix = ".todosync-"

    enum Role: String {
        /// The new content or, after an exchange, the replaced file.
        case new
        /// A file that was moved away.
        case old
        /// The content of a file to create. A user's file never has this role.
        case made
        /// A new folder that is being filled. A user's folder never has this role.
        case folder
        /// A new folder whose path was taken, so its files are moved into place one by one.
        case rest
        /// The empty marker of a ``NewRoot``.
        case root

        var isForNew: Bool {
            switch self {
            case .made, .folder, .rest, .root: true
            case .new, .old: false
            }
        }
    }

    /// Creates the temporary files of an operation; no file is created yet.
    ///
    /// - Precondition: the operation's name has only letters, digits and hyphens.
    init(operation: String, stateFolder: OpenFile, fileSystem: any FileSystem) {
        precondition(TemporaryFiles.isOperation(operation))
        self.operation = operation
        self.stateFolder = stateFolder
        self.fileSystem = fileSystem
    }

    /// Returns the path for a temporary file that belongs to a file in a folder.
    ///
    /// - Parameters:
    ///   - path: The folder's path.
    ///   - mark: The mark of the user's text that the temporary file replaces or will contain, or of the new
    ///     path.
    func location(
        for folder: OpenFile, at path: Substring, index: Int, _ role: Role, _ mark: ContentMark
    ) throws(FileError) -> FileLocation {
        let temporary = try temporaryFolder()
        let name = TemporaryName(
            operation: operation, attempt: attempt, index: index, role: role, mark: mark
        ).string
        switch try home(for: folder, at: path, temporary) {
        case .temporaryFolder: return FileLocation(folder: temporary, name: FileName(name))
        case .folderItself(let folder):
            return FileLocation(folder: folder, name: FileName(TemporaryFiles.hiddenPrefix + name))
        }
    }

    /// Returns whether a temporary file belongs to this attempt of the operation.
    func isOwn(_ name: TemporaryName) -> Bool { name.operation == operation && name.attempt == attempt }

    /// Returns the temporary path for a new folder while its files are moved into place one by one.
    func locationOfRest(of folder: FileLocation) -> FileLocation? {
        guard var name = folder.name.string.flatMap({ TemporaryName($0, isHidden: false) }) else {
            return nil
        }
        name.role = .rest
        return FileLocation(folder: folder.folder, name: FileName(name.string))
    }

    /// Returns whether new files in `.todosync/tmp` get the same group, set-group-ID bit and access control
    /// list as new files in a folder.
    ///
    /// Renaming a file doesn't change these.
    ///
    /// - Parameter path: The folder's path.
    func givesSame(as folder: OpenFile, at path: Substring) throws(FileError) -> Bool {
        if let cached = sameGiving[FolderPath(path)] { return cached }
        let temporary = try temporaryFolder()
        let (own, other) = (try fileSystem.status(of: temporary), try fileSystem.status(of: folder))
        let isSame =
            own.group == other.group && own.givesItsGroup == other.givesItsGroup
            // A list inherited from `.todosync/tmp` would stay with a file that is moved out of it.
            && !fileSystem.hasDefaultAccessList(folder) && !fileSystem.hasDefaultAccessList(temporary)
        sameGiving[FolderPath(path)] = isSame
        return isSame
    }

    /// Puts all further temporary files into the folders of the files that they belong to.
    func stayBeside() {
        areBeside = true
        // Keep the folders on other file systems, because changes there might not be on disk yet.
        homes = homes.filter { if case .folderItself = $0.value { true } else { false } }
    }

    /// Returns whether a string is a valid operation name: only letters, digits and hyphens.
    static func isOperation(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The folders that contain temporary files of this operation.
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
            listing.name(at: index).string.flatMap { TemporaryName($0, isHidden: false) }
        }
        return attempts.filter { $0.operation == operation }.map(\.attempt).max().map { $0 + 1 } ?? 0
    }

    private func home(
        for folder: OpenFile, at path: Substring, _ temporary: OpenFile
    ) throws(FileError) -> Home {
        if let cached = homes[FolderPath(path)] { return cached }
        if areBeside {
            homes[FolderPath(path)] = .folderItself(folder)
            return .folderItself(folder)
        }
        // The system compares the file systems before it looks up the names, so renaming a missing name shows
        // whether they are the same.
        let absent: FileName = ".todosync-absent"
        let outcome = try fileSystem.rename(absent, in: temporary, to: absent, in: folder, .replacing)
        let home: Home = outcome == .otherFileSystem ? .folderItself(folder) : .temporaryFolder
        homes[FolderPath(path)] = home
        return home
    }
}

/// The parsed name of a temporary file.
struct TemporaryName {
    let operation: String
    let attempt: Int
    let index: Int
    var role: TemporaryFiles.Role
    /// The mark of the text that the file has after an exchange with the user's file, or of the new path; nil
    /// in names written before there were marks.
    let mark: ContentMark?

    var string: String {
        "\(operation).\(attempt).\(index).\(role.rawValue)" + (mark.map { ".\($0)" } ?? "")
    }

    init(operation: String, attempt: Int, index: Int, role: TemporaryFiles.Role, mark: ContentMark) {
        self.operation = operation
        self.attempt = attempt
        self.index = index
        self.role = role
        self.mark = mark
    }

    /// Parses a name; nil if it isn't the name of a temporary file.
    ///
    /// - Parameter isHidden: Whether the file is in a user's folder, where the name has the prefix
    ///   ``TemporaryFiles/hiddenPrefix``.
    init?(_ name: String, isHidden: Bool) {
        let prefix = isHidden ? TemporaryFiles.hiddenPrefix : ""
        guard name.utf8.starts(with: prefix.utf8) else { return nil }
        let parts = name.utf8.dropFirst(prefix.utf8.count).split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        guard parts.count == 4 || parts.count == 5, TemporaryFiles.isOperation(parts[0]),
            let attempt = Int(parts[1]), let index = Int(parts[2]),
            let role = TemporaryFiles.Role(rawValue: parts[3])
        else { return nil }
        mark = parts.count == 5 ? ContentMark(parts[4]) : nil
        if parts.count == 5, mark == nil { return nil }
        operation = parts[0]
        self.attempt = attempt
        self.index = index
        self.role = role
    }
}

extension FileSystem {
    /// Creates a temporary file.
    ///
    /// - Parameter isPrivate: Whether only the owner can read or write the file for now.
    /// - Throws: An error for ``TemporaryFiles/folderPath`` if no files can be created there.
    func createTemporary(_ location: FileLocation, isPrivate: Bool) throws(FileError) -> OpenFile {
        let use: FileUse = isPrivate ? .creatingPrivately : .creating
        do throws(FileError) {
            if let file = try open(location.name, in: location.folder, for: use) { return file }
        } catch  where error.isNotPermitted && !location.name.isHidden {
            var error = error.at(TemporaryFiles.folderPath)
            error.operation = .writeInFolder
            throw error
        }
        throw FileError(.create, "", code: EEXIST)
    }

    /// Opens a subfolder of a folder, and creates it if it is missing.
    func folder(_ name: FileName, in parent: OpenFile) throws(FileError) -> OpenFile {
        if let folder = try openFolder(name, in: parent) { return folder }
        _ = try makeFolder(name, in: parent)
        guard let folder = try openFolder(name, in: parent) else {
            throw FileError(.open, name.description, code: ENOENT)
        }
        return folder
    }

    /// Removes one of todosync's folders with all its contents.
    func removeTree(_ location: FileLocation) {
        guard let folder = try? openFolder(location.name, in: location.folder) else { return }
        if let listing = try? list(folder) {
            for index in 0..<listing.count {
                let inner = FileLocation(folder: folder, name: listing.name(at: index))
                if (try? remove(inner.name, in: inner.folder)) == nil { removeTree(inner) }
            }
        }
        // The next operation removes any folder that can't be removed now.
        _ = try? removeFolder(location.name, in: location.folder)
    }
}
