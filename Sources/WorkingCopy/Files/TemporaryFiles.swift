import Platform

/// Where an operation keeps files that are not yet, or no longer, in the user's folders.
///
/// They are in `.todosync/tmp`; for a folder on another file system under hidden names in that folder, and so
/// for all folders where one turned out to be apart in another way. A name tells the operation, which of its
/// changes the file belongs to, and by which text the user's file is known that the change replaces, or which
/// path was free that it takes: `OPERATION.ATTEMPT.INDEX.ROLE.MARK`.
final class TemporaryFiles {
    private let fileSystem: any FileSystem
    private let operation: String
    private let stateFolder: OpenFile
    private var opened: OpenFile?
    /// Counts how often the operation was begun: one that a crash ended may be carried on under its name.
    private var attempt = 0
    /// Folders in which temporary files for them can be; handles are kept of those only that are needed.
    private var homes: [FolderPath: Home] = [:]

    /// Whether all are beside the files that they are for.
    private(set) var areBeside = false

    /// Folders in which a new one gets what it gets in `.todosync/tmp`, and others.
    private var sameGiving: [FolderPath: Bool] = [:]

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
        /// What is about to be put where nothing is: nothing of a user's ever gets such a name.
        case made
        /// A new folder that is being filled, likewise.
        case folder
        /// Such a folder whose path was taken: its files leave it one by one for their places.
        case rest

        var isOurs: Bool {
            switch self {
            case .made, .folder, .rest: true
            case .new, .old: false
            }
        }
    }

    /// - Precondition: the operation's name has letters, digits and hyphens only.
    init(operation: String, stateFolder: OpenFile, fileSystem: any FileSystem) {
        precondition(TemporaryFiles.isOperation(operation))
        self.operation = operation
        self.stateFolder = stateFolder
        self.fileSystem = fileSystem
    }

    /// Returns where a temporary file can be from which a file in a folder is to be made.
    ///
    /// - Parameters:
    ///   - path: the folder's.
    ///   - mark: of the text of the user's file that the temporary file changes places with, or will hold; or
    ///     of the path that it is to get.
    func place(
        for folder: OpenFile, at path: Substring, index: Int, _ role: Role, _ mark: ContentMark
    ) throws(FileError) -> Place {
        let temporary = try temporaryFolder()
        let name = TemporaryName(
            operation: operation, attempt: attempt, index: index, role: role, mark: mark
        ).string
        switch try home(for: folder, at: path, temporary) {
        case .temporaryFolder: return Place(folder: temporary, name: FileName(name))
        case .folderItself(let folder):
            return Place(folder: folder, name: FileName(TemporaryFiles.hiddenPrefix + name))
        }
    }

    /// Returns where a new folder can be while its files get their places one by one.
    func placeOfRest(of folder: Place) -> Place? {
        guard var name = folder.name.string.flatMap({ TemporaryName($0, isHidden: false) }) else {
            return nil
        }
        name.role = .rest
        return Place(folder: folder.folder, name: FileName(name.string))
    }

    /// Whether what is made in `.todosync/tmp` gets the same group, set-id bit and access control list as
    /// what is made in a folder: a renaming changes none of them.
    ///
    /// - Parameter path: the folder's.
    func givesSame(as folder: OpenFile, at path: Substring) throws(FileError) -> Bool {
        if let known = sameGiving[FolderPath(path)] { return known }
        let temporary = try temporaryFolder()
        let (ours, theirs) = (try fileSystem.status(of: temporary), try fileSystem.status(of: folder))
        let isSame =
            ours.group == theirs.group && ours.givesItsGroup == theirs.givesItsGroup
            // One of `.todosync/tmp` would stay with what is moved out of it.
            && !fileSystem.hasDefaultAccessList(folder) && !fileSystem.hasDefaultAccessList(temporary)
        sameGiving[FolderPath(path)] = isSame
        return isSame
    }

    /// Has those to come beside the files that they are for.
    func stayBeside() {
        areBeside = true
        // Those of other file systems stay known: what was changed there may not be on the disk yet.
        homes = homes.filter { if case .folderItself = $0.value { true } else { false } }
    }

    /// Whether a text has letters, digits and hyphens only, as an operation's name.
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
            listing.name(at: index).string.flatMap { TemporaryName($0, isHidden: false) }
        }
        return attempts.filter { $0.operation == operation }.map(\.attempt).max().map { $0 + 1 } ?? 0
    }

    private func home(
        for folder: OpenFile, at path: Substring, _ temporary: OpenFile
    ) throws(FileError) -> Home {
        if let known = homes[FolderPath(path)] { return known }
        if areBeside {
            homes[FolderPath(path)] = .folderItself(folder)
            return .folderItself(folder)
        }
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
    var role: TemporaryFiles.Role
    /// Of the text that the file holds once it has changed places with the user's, or of the path that it is
    /// to get; nil in names of before there were marks.
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

    /// - Parameter isHidden: whether it is in a folder of the user's, where ``TemporaryFiles/hiddenPrefix``
    ///   tells it from the user's names.
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
    /// Makes a temporary file.
    ///
    /// - Parameter isPrivate: whether nobody but its owner may read or write it for now.
    /// - Throws: an error of ``TemporaryFiles/folderPath`` where nothing may be written there.
    func createTemporary(_ place: Place, isPrivate: Bool) throws(FileError) -> OpenFile {
        let use: FileUse = isPrivate ? .creatingPrivately : .creating
        do throws(FileError) {
            if let file = try open(place.name, in: place.folder, for: use) { return file }
        } catch  where error.isNotPermitted && !place.name.isHidden {
            throw FileError(.writeInFolder, TemporaryFiles.folderPath, code: error.code)
        }
        throw FileError(.create, "", code: EEXIST)
    }

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
