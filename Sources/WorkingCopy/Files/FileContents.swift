import Platform

/// The bytes of a file that nobody changes, such as a file that is only ever replaced.
///
/// The operating system provides them from its own copy of the file where it can, so that nothing is copied.
/// If somebody truncates such a file in the meantime, reading its bytes ends the process, as it does with
/// git's index.
package final class FileContents: Sendable {
    /// The address of the first byte, because a pointer isn't `Sendable`.
    private let address: UInt
    private let count: Int
    private let free: @Sendable (UnsafeRawBufferPointer) -> Void

    /// The bytes, which are valid as long as the object.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
    }

    /// Takes over memory that a closure frees.
    init(_ bytes: UnsafeRawBufferPointer, free: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        address = UInt(bitPattern: bytes.baseAddress)
        count = bytes.count
        self.free = free
    }

    /// Copies bytes.
    package convenience init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        copy.copyBytes(from: bytes)
        self.init(UnsafeRawBufferPointer(copy)) { $0.deallocate() }
    }

    /// Maps a file into memory; nil if the file system can't do this.
    convenience init?(mapping file: OpenFile, size: Int) {
        let address = size > 0 ? mmap(nil, size, PROT_READ, MAP_PRIVATE, file.descriptor, 0) : MAP_FAILED
        guard let address, address != MAP_FAILED else { return nil }
        self.init(UnsafeRawBufferPointer(start: address, count: size)) {
            munmap(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count)
        }
    }

    deinit { free(bytes) }
}
