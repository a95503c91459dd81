internal import LosslessYAML

/// A name in a folder, in the form that the operating system takes: bytes with a trailing NUL.
///
/// The names in a ``FolderListing`` share its storage, so a hundred thousand of them need no allocations.
package struct FileName: Sendable {
    private let terminated: ArraySlice<UInt8>

    /// Creates a name from its bytes.
    ///
    /// - Precondition: the last byte is NUL, and no other byte is.
    init(terminated: ArraySlice<UInt8>) {
        self.terminated = terminated
    }

    /// Creates a name from a string without NUL, which ``PathRules`` rejects.
    package init(_ string: some StringProtocol) {
        precondition(!string.utf8.contains(0), "a file name with NUL in it")
        var bytes = Array(string.utf8)
        bytes.append(0)
        terminated = bytes[...]
    }

    /// The bytes without the trailing NUL.
    package var bytes: ArraySlice<UInt8> { terminated.dropLast() }

    /// The name as text; nil if it is not UTF-8.
    package var string: String? { String(validating: bytes, as: UTF8.self) }

    /// The name for an error message, with U+FFFD for bytes that aren't UTF-8.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the name begins with a dot.
    var isHidden: Bool { terminated.first == UInt8(ascii: ".") }

    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        terminated.withUnsafeBytes { buffer in
            guard let start = buffer.assumingMemoryBound(to: CChar.self).baseAddress else {
                preconditionFailure("a file name without its NUL")
            }
            return body(start)
        }
    }
}

extension FileName: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral value: String) { self.init(value) }
}

extension FileName: Hashable {
    package static func == (left: FileName, right: FileName) -> Bool { left.terminated == right.terminated }
}

/// The contents of a folder.
package struct FolderListing: Sendable {
    private var storage: [UInt8] = []
    private var ends: [Int] = []
    private var kinds: [FileKind] = []

    package init() {}

    package var count: Int { ends.count }

    package func name(at index: Int) -> FileName {
        FileName(terminated: storage[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
    }

    package func kind(at index: Int) -> FileKind { kinds[index] }

    /// Appends an entry.
    ///
    /// - Parameter name: The bytes without NUL.
    package mutating func append(_ name: UnsafeRawBufferPointer, _ kind: FileKind) {
        storage.append(contentsOf: name)
        storage.append(0)
        ends.append(storage.count)
        kinds.append(kind)
    }

    /// Returns the kind of a named entry; nil if there isn't one.
    func kind(of name: FileName) -> FileKind? {
        let name = name.bytes
        let index = storage.withUnsafeBufferPointer { storage in
            ends.indices.first { index in
                let start = index == 0 ? 0 : ends[index - 1]
                return ends[index] - 1 - start == name.count
                    && storage[start..<ends[index] - 1].elementsEqual(name)
            }
        }
        return index.map { kinds[$0] }
    }

    /// Returns the indices of the wanted entries, sorted by the bytes of their names.
    ///
    /// A folder sorts as if its name ended with a slash, so that a scan visits paths in byte order.
    func sortedIndices(where isWanted: (UnsafeBufferPointer<UInt8>, FileKind) -> Bool) -> [Int] {
        storage.withUnsafeBufferPointer { storage in
            func name(_ index: Int) -> UnsafeBufferPointer<UInt8> {
                UnsafeBufferPointer(rebasing: storage[(index == 0 ? 0 : ends[index - 1])..<(ends[index] - 1)])
            }
            func end(_ index: Int) -> UInt8 { kinds[index] == .folder ? slash : 0 }
            var keys: [(key: UInt64, index: Int)] = []
            keys.reserveCapacity(count)
            for index in kinds.indices where isWanted(name(index), kinds[index]) { keys.append((0, index)) }
            guard let first = keys.first.map({ name($0.index) }) else { return [] }
            var common = first.count
            for (_, index) in keys { common = name(index).commonCount(first, atMost: common) }
            // Most names differ in the eight bytes after their common prefix, which are fast to compare.
            for position in keys.indices {
                let index = keys[position].index
                keys[position].key = UInt64(bytes: name(index), from: common, end: end(index))
            }
            keys.sort { left, right in
                if left.key != right.key { return left.key < right.key }
                let (leftName, rightName) = (name(left.index), name(right.index))
                let both = min(leftName.count, rightName.count)
                let order = UnsafeBufferPointer(rebasing: leftName[..<both])
                    .order(UnsafeBufferPointer(rebasing: rightName[..<both]))
                if order != 0 { return order < 0 }
                let leftNext = leftName.count > both ? leftName[both] : end(left.index)
                let rightNext = rightName.count > both ? rightName[both] : end(right.index)
                return leftNext < rightNext
            }
            return keys.map(\.index)
        }
    }
}
