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
