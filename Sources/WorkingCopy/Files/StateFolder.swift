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
