import CSystemCalls
import Platform

#if os(Linux)
    extension POSIXFileSystem {
        /// The buffer size for one call.
        ///
        /// Larger folders need several calls.
        private static let listingSize = 1 << 16

        package func list(_ folder: OpenFile) throws(FileError) -> FolderListing {
            // Start over, because the position is still where the previous listing ended.
            guard lseek(folder.descriptor, 0, SEEK_SET) == 0 else { throw failure(.list, ".") }
            var listing = FolderListing()
            let code = withUnsafeTemporaryAllocation(byteCount: Self.listingSize, alignment: 8) { buffer in
                while true {
                    let count = csystem_read_directory(folder.descriptor, buffer.baseAddress, buffer.count)
                    if count == 0 { return 0 as Int32 }
                    if count > 0 {
                        listing.append(entries: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    } else if errno != EINTR {
                        return errno
                    }
                }
            }
            if code != 0 { throw FileError(.list, ".", code: code) }
            return listing
        }
    }

    extension FolderListing {
        /// Appends entries in the format of `getdents64`: inode and offset in 8 bytes each, the entry's
        /// length in 2, the type in 1, and the NUL-terminated name.
        fileprivate mutating func append(entries: UnsafeRawBufferPointer) {
            let (lengthOffset, typeOffset, nameOffset) = (16, 18, 19)
            var rest = entries[...]
            while rest.count > nameOffset {
                let entry = UnsafeRawBufferPointer(rebasing: rest)
                let length = Int(entry.loadUnaligned(fromByteOffset: lengthOffset, as: UInt16.self))
                guard (nameOffset...rest.count).contains(length) else { return }
                append(field: entry[nameOffset..<length], FileKind(entryType: entry[typeOffset]))
                rest = rest.dropFirst(length)
            }
        }
    }
#else
    extension POSIXFileSystem {
        package func list(_ folder: OpenFile) throws(FileError) -> FolderListing {
            // Open the folder again, because the stream moves the position and closes the descriptor.
            let descriptor = repeating { openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            guard descriptor >= 0 else { throw failure(.list, ".") }
            guard let stream = fdopendir(descriptor) else {
                let error = failure(.list, ".")
                close(descriptor)
                throw error
            }
            defer { closedir(stream) }
            var listing = FolderListing()
            while true {
                errno = 0
                guard let entry = readdir(stream) else {
                    if errno == 0 { return listing }
                    throw failure(.list, ".")
                }
                listing.append(entry)
            }
        }
    }

    extension FolderListing {
        fileprivate mutating func append(_ entry: UnsafeMutablePointer<dirent>) {
            let kind = FileKind(entryType: entry.pointee.d_type)
            withUnsafeBytes(of: &entry.pointee.d_name) { append(field: $0[...], kind) }
        }
    }
#endif

extension FolderListing {
    private static let dot = UInt8(ascii: ".")

    /// Appends an entry from the operating system, except `.` and `..`.
    ///
    /// - Parameter field: The name, followed by NUL and perhaps other bytes.
    fileprivate mutating func append(field: Slice<UnsafeRawBufferPointer>, _ kind: FileKind) {
        let name = UnsafeRawBufferPointer(rebasing: field[..<(field.firstIndex(of: 0) ?? field.endIndex)])
        if name.count <= 2, name.allSatisfy({ $0 == FolderListing.dot }) { return }
        append(name, kind)
    }
}

extension FileKind {
    fileprivate init(entryType: UInt8) {
        switch Int32(entryType) {
        case Int32(DT_REG): self = .file
        case Int32(DT_DIR): self = .folder
        case Int32(DT_LNK): self = .symbolicLink
        case Int32(DT_UNKNOWN): self = .unknown
        default: self = .other
        }
    }
}
