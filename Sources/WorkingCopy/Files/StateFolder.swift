import Platform

/// The folder `.todosync` of a working directory, whose small files are read and replaced as a whole.
package struct StateFolder: Sendable {
    /// The open folder, for the files that aren't read and written as a whole, such as the journal.
    package let folder: OpenFile
    let fileSystem: any FileSystem

    package static let name = ".todosync"

    /// Opens the folder of a working directory.
    ///
    /// - Parameter make: Whether to create a missing folder.
    package init(
        root: String, making make: Bool = false, fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(FileError) {
        self.fileSystem = fileSystem
        guard let rootFolder = try fileSystem.openFolder(at: root) else {
            throw FileError(.open, root, code: ENOENT)
        }
        if make {
            folder = try fileSystem.folder(stateFolderName, in: rootFolder)
        } else if let folder = try fileSystem.openFolder(stateFolderName, in: rootFolder) {
            self.folder = folder
        } else {
            throw FileError(.open, StateFolder.name, code: ENOENT)
        }
    }

    /// Returns a file's bytes; nil if the file doesn't exist.
    ///
    /// - Parameter limit: The maximum size; a larger file, or one that isn't a regular file, is an error.
    package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            switch try fileSystem.readFile(FileName(name), in: folder, limit: limit) {
            case .missing: return nil
            case .notRegular: throw FileError(.read, name, code: EISDIR)
            case .content(let content):
                guard content.bytes.count <= limit else { throw FileError(tooLarge: name, limit: limit) }
                return content.bytes
            }
        } catch {
            throw error.at(StateFolder.path(of: name))
        }
    }

    /// Creates a file, or replaces its whole content and keeps its attributes, and synchronizes it to
    /// disk.
    package func replaceWhole(_ name: String, with bytes: [UInt8]) throws(FileError) {
        let temporary = FileName(name + ".new")
        do throws(FileError) {
            // A file that a crash left under this name was never in use.
            _ = try fileSystem.remove(temporary, in: folder)
            var model: OpenedFile?
            if case .regular(let opened) = try fileSystem.openFile(FileName(name), in: folder) {
                model = opened
            }
            let use: FileUse = model == nil ? .creating : .creatingPrivately
            guard let file = try fileSystem.open(temporary, in: folder, for: use) else {
                throw FileError(.create, "", code: EEXIST)
            }
            try fileSystem.write(bytes, to: file)
            if let model { try fileSystem.setAttributes(of: file, as: model) }
            try fileSystem.synchronize(file, .file)
            guard
                try fileSystem.rename(temporary, in: folder, to: FileName(name), in: folder, .replacing)
                    == .done
            else {
                throw FileError(.rename, "", code: ENOENT)
            }
            try fileSystem.synchronize(folder, .file)
        } catch {
            _ = try? fileSystem.remove(temporary, in: folder)
            throw error.at(StateFolder.path(of: name))
        }
    }

    private static func path(of name: String) -> String { StateFolder.name + "/" + name }
}

extension StateFolder {
    /// Copies bytes that are about to be changed or truncated to a new folder `damaged-N`, and returns the
    /// folder's name.
    func keepDamaged(_ name: String, _ bytes: [UInt8]) throws(FileError) -> String {
        let (kept, folderName) = try newDamagedFolder()
        do throws(FileError) {
            guard let file = try fileSystem.open(FileName(name), in: kept, for: .creating) else {
                throw FileError(.create, "", code: EEXIST)
            }
            try fileSystem.write(bytes, to: file)
            try fileSystem.synchronize(file, .file)
            try fileSystem.synchronize(kept, .file)
            try fileSystem.synchronize(folder, .file)
            return folderName
        } catch {
            throw error.at("\(StateFolder.name)/\(folderName)/\(name)")
        }
    }

    /// Moves a file, a folder or a link to a new folder `damaged-N`.
    func moveDamaged(_ name: FileName) throws(FileError) {
        let (kept, _) = try newDamagedFolder()
        do throws(FileError) {
            _ = try fileSystem.rename(name, in: folder, to: name, in: kept, .replacing)
            try fileSystem.synchronize(folder, .file)
        } catch {
            throw error.at("\(StateFolder.name)/\(name)")
        }
    }

    private func newDamagedFolder() throws(FileError) -> (OpenFile, name: String) {
        for number in 1... {
            let name = "damaged-\(number)"
            do throws(FileError) {
                guard try fileSystem.makeFolder(FileName(name), in: folder) else { continue }
                return (try fileSystem.folder(FileName(name), in: folder), name)
            } catch {
                throw error.at("\(StateFolder.name)/\(name)")
            }
        }
        preconditionFailure("numbers do not end")
    }
}

/// Returns the nearest folder that contains a `.todosync` folder, from a folder upward; nil if there isn't
/// one.
///
/// The returned path is absolute, with symbolic links resolved.
///
/// - Throws: An error if the folder can't be determined. A parent folder that can't be listed isn't an error,
///   because the root might be above it.
package func findRoot(from directory: String) throws(FileError) -> String? {
    guard let resolved = realpath(directory, nil) else {
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw FileError(.inspect, directory, code: errno)
    }
    defer { free(resolved) }
    var path = String(cString: resolved)
    while true {
        let candidate = (path == "/" ? "" : path) + "/" + StateFolder.name
        var status = stat()
        if lstat(candidate, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { return path }
        } else if errno != ENOENT && errno != ENOTDIR {
            throw FileError(.inspect, candidate, code: errno)
        }
        guard path != "/", let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// The name of the folder that makes its parent folder a working directory.
let stateFolderName: FileName = ".todosync"
