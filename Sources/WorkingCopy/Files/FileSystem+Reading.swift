import Platform

/// The limits of a todo's file.
package enum TodoFile {
    /// The maximum size in bytes; a larger file isn't read.
    ///
    /// A todo can have a quarter of it, so a file with conflict markers has room for the base and both sides.
    package static let maximumSize = 4 << 20
}

/// A file's bytes, and its status from just before they were read.
struct FileContent {
    var bytes: [UInt8]
    var status: FileStatus
}

/// An open regular file, and its status from when it was opened.
struct OpenedFile {
    var file: OpenFile
    var status: FileStatus
}

/// The result of opening a named file.
enum FileOpening {
    case regular(OpenedFile)
    /// The name is a folder, a symbolic link or a device, for example.
    case notRegular
    case missing
}

/// The result of reading a named file.
enum ReadResult {
    case content(FileContent)
    /// The name is a folder, a symbolic link or a device, for example.
    case notRegular
    case missing
}

extension FileSystem {
    /// Opens a regular file for reading.
    func openFile(_ name: FileName, in folder: OpenFile) throws(FileError) -> FileOpening {
        let file: OpenFile
        do throws(FileError) {
            guard let opened = try open(name, in: folder, for: .reading) else { return .missing }
            file = opened
        } catch  where [ELOOP, ENXIO, EMLINK].contains(error.code) {
            // The name is a symbolic link or a socket.
            return .notRegular
        }
        do throws(FileError) {
            let status = try status(of: file)
            return status.kind == .file ? .regular(OpenedFile(file: file, status: status)) : .notRegular
        } catch {
            throw error.at(name.description)
        }
    }

    /// Reads a regular file.
    ///
    /// - Parameter limit: The maximum size; for a larger file, `limit + 1` bytes are returned.
    func readFile(_ name: FileName, in folder: OpenFile, limit: Int) throws(FileError) -> ReadResult {
        switch try openFile(name, in: folder) {
        case .missing: return .missing
        case .notRegular: return .notRegular
        case .regular(let opened):
            do throws(FileError) {
                let bytes = try readAll(opened.file, size: opened.status.stamp.size, limit: limit)
                return .content(FileContent(bytes: bytes, status: opened.status))
            } catch {
                throw error.at(name.description)
            }
        }
    }

    /// Returns the contents of a folder, in no particular order.
    ///
    /// - Parameter path: The folder's path for errors, in the form that the user sees.
    func listing(of folder: OpenFile, at path: String) throws(FileError) -> FolderListing {
        do throws(FileError) {
            return try list(folder)
        } catch {
            throw error.at(path)
        }
    }

    /// Reads a file up to a limit plus one byte.
    ///
    /// - Parameter size: The likely size; requesting one byte more lets a single call reach the end of the
    ///   file.
    private func readAll(_ file: OpenFile, size: Int64, limit: Int) throws(FileError) -> [UInt8] {
        let likely = Int(clamping: max(0, size))
        var count = min(likely, limit) + 1
        var bytes = try read(file, from: 0, atMost: count)
        while bytes.count == count, count <= limit {
            count = min(count * 2, limit + 1)
            bytes += try read(file, from: bytes.count, atMost: count - bytes.count)
        }
        return bytes
    }
}
