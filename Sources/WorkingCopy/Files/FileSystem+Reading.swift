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

/// The bytes of a file, in memory that doesn't move.
///
/// The bytes are a copy: another process can shorten a file that is mapped into memory, and reading the
/// missing part would then end this process.
package final class FileContents: Sendable {
    /// The address of the first byte, because a pointer isn't `Sendable`.
    private let address: UInt
    private let count: Int

    /// The bytes, which are valid as long as the object.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
    }

    /// Copies bytes.
    package convenience init(_ bytes: [UInt8]) {
        self.init(capacity: bytes.count) { memory in
            memory.copyBytes(from: bytes)
            return bytes.count
        }
    }

    /// The number of bytes to read at a time, which fit into the processor's cache until they are copied.
    private static let partSize = 1 << 16

    /// Reads a file from its start.
    ///
    /// - Parameters:
    ///   - size: The file's size; if it is shorter by now, there are fewer bytes.
    ///   - look: Receives all bytes in order, in parts that are still in the processor's cache.
    convenience init(
        of file: OpenFile, size: Int, _ fileSystem: any FileSystem, look: ([UInt8]) -> Void
    ) throws(FileError) {
        try self.init(capacity: size) { (memory) throws(FileError) in
            var count = 0
            while count < size {
                let part = try fileSystem.read(file, from: count, atMost: min(Self.partSize, size - count))
                if part.isEmpty { break }
                look(part)
                UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyBytes(from: part)
                count += part.count
            }
            return count
        }
    }

    /// - Parameter fill: Fills the memory from its start and returns the number of bytes.
    private init<Failure: Error>(
        capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
        do throws(Failure) {
            count = try fill(memory)
            address = UInt(bitPattern: memory.baseAddress)
        } catch {
            memory.deallocate()
            throw error
        }
    }

    deinit { UnsafeMutableRawBufferPointer(mutating: bytes).deallocate() }
}
